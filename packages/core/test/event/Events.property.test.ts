/** Tests the feed and the list of the newest events, over a log that follows the contract of `EventLog.page`. */
import { Events } from "@trailbook/core/event/Events"
import { EventLog, type StoredEvent } from "@trailbook/core/port/EventLog"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { expect, it } from "vitest"

const now = Instant.make(Date.parse("2027-05-01T12:00:00Z"))

const logOf = (storedEvents: ReadonlyArray<StoredEvent>) =>
  Layer.mock(EventLog, {
    page: ({ after, limit, type, youngAfter, youngBefore }) =>
      Effect.sync(() => {
        const later = storedEvents.filter(({ id }) => id > after)
        const young = later.find(({ createdAt }) => youngAfter < createdAt && createdAt < youngBefore)
        const head = young === undefined ? Math.max(after, storedEvents.length) : young.id - 1
        const events = later.filter((one) => one.id <= head && (type === undefined || one.type === type)).slice(
          0,
          limit
        )
        return { events, nextAfter: events.length === limit ? events.at(-1)?.id ?? head : head }
      }),
    latest: (_, limit) => Effect.sync(() => storedEvents.slice(-limit))
  })

const type = FastCheck.constantFrom("booking.confirmed", "booking.moved")

/** The ages of events in milliseconds. A negative age comes from a server whose clock is ahead. */
const age = FastCheck.oneof(
  { weight: 3, arbitrary: FastCheck.integer({ min: 2000, max: 9000 }) },
  { weight: 1, arbitrary: FastCheck.constantFrom(1999, 2000, 2001, 1, 0, -1, -1999, -2000, -2001) }
)

it("lists an event only once it and all earlier events are 2 seconds old", () =>
  FastCheck.assert(FastCheck.asyncProperty(
    FastCheck.array(FastCheck.tuple(age, type), { maxLength: 20 }),
    FastCheck.option(type, { nil: undefined }),
    (rows, only) => {
      const events = rows.map(([ageMs, type], at): StoredEvent => ({
        id: at + 1,
        orgId: "org",
        type,
        data: {},
        person: null,
        createdAt: Instant.make(now - ageMs)
      }))
      const young = rows.findIndex(([ageMs]) => Math.abs(ageMs) < 2000)
      const end = young < 0 ? rows.length : young
      const ids = events.slice(0, end).filter((one) => only === undefined || one.type === only).map(({ id }) => id)
      return Effect.gen(function*() {
        yield* TestClock.setTime(now)
        const { latest, list } = yield* Events
        const page = yield* list({ orgId: "org", after: 0, type: only, limit: 100 })
        expect([page.events.map(({ id }) => id), page.nextAfter]).toEqual([ids, end])
        const newest = yield* latest({ orgId: "org", type: only, limit: 100 })
        expect([newest.events.map(({ id }) => id), newest.nextAfter]).toEqual([ids.toReversed(), end])
      }).pipe(
        Effect.provide(Layer.provide(Events.layer, logOf(events))),
        Effect.provide(TestContext.TestContext),
        Effect.runPromise
      )
    }
  )))
