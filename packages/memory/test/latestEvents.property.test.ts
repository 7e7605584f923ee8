/**
 * Tests the event list in descending order. With or without a filter, the pages must contain every matching event
 * exactly once.
 */
import { Events, type EventType } from "@trailbook/core/event"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"

const start = Instant.parse("2027-06-05T18:00:00Z") ?? Instant.min
const types = ["booking.confirmed", "booking.cancelled", "org.updated"] satisfies ReadonlyArray<EventType>

const story = FastCheck.record({
  // An event can be committed up to 5 seconds after its timestamp.
  events: FastCheck.array(
    FastCheck.record({
      type: FastCheck.constantFrom(...types),
      minutes: FastCheck.integer({ min: 0, max: 30 }),
      late: FastCheck.nat(5000)
    }),
    { maxLength: 60 }
  ),
  many: FastCheck.constantFrom(0, 0, 0, 700),
  young: FastCheck.nat(3),
  limit: FastCheck.integer({ min: 1, max: 20 }),
  type: FastCheck.constantFrom(undefined, ...types),
  since: FastCheck.constantFrom(undefined, 0, 1, 10, 1000)
})

describe("the newest events", () => {
  it("are listed in pages, except for events that are too recent", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        story,
        ({ events, limit, many, since: minutesAgo, type, young }) =>
          Effect.gen(function*() {
            const clock = yield* SettableClock.make(start)
            yield* Effect.gen(function*() {
              const log = yield* EventLog
              const { run } = yield* UnitOfWork
              yield* (yield* OrgStore).put(
                Org.make({ id: "org", name: "Org", slug: "org", timezone: "UTC", createdAt: start })
              )
              const append = (type: EventType, createdAt: Instant.Instant) =>
                run(log.append([{ orgId: "org", type, data: {}, person: null, createdAt }]))
              let at = start
              const newEvents: Array<{ readonly type: EventType; readonly createdAt: number }> = []
              const all = [...Array.from({ length: many }, () => ({ type: types[2], minutes: 0, late: 0 })), ...events]
              for (const { late, minutes, type = "org.updated" } of all) {
                at = Instant.addMinutes(at, minutes)
                const createdAt = Instant.make(at - late)
                newEvents.push({ type, createdAt })
                yield* append(type, createdAt)
              }
              const now = Instant.make(at + 10_000)
              yield* clock.set(now)
              for (let n = 0; n < young; n++) yield* append("org.updated", now)
              const since = minutesAgo === undefined ? undefined : Instant.addMinutes(now, -minutesAgo)
              const service = yield* Events
              const ids: Array<number> = []
              let before: number | undefined
              for (let pages = 0; pages === 0 || before !== undefined; pages++) {
                const page = yield* service.latest({ orgId: "org", before, since, type, limit })
                assert.isAtMost(page.events.length, limit)
                assert.strictEqual(page.nextAfter, newEvents.length)
                ids.push(...page.events.map(({ id }) => id))
                before = page.nextBefore
                assert.isBelow(pages, 1000)
              }
              const expected = newEvents.map((event, at) => ({ ...event, id: at + 1 })).filter((event) =>
                (type === undefined || event.type === type) && (since === undefined || event.createdAt >= since)
              )
              assert.deepStrictEqual(ids, expected.map(({ id }) => id).toReversed())
            }).pipe(
              Effect.provide(Layer.fresh(Layer.provideMerge(Events.layer, Memory.layer))),
              Effect.withClock(clock)
            )
          }).pipe(Effect.runPromise)
      ),
      { numRuns: 60 }
    )
  })
})
