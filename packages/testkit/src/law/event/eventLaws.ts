/**
 * Tests the event log. IDs are in commit order without gaps, and a page ends at H, the last ID before the young events.
 */
import { type EventType, eventTypes } from "@trailbook/core/event"
import type { NewEvent, StoredEvent } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { moment, origin } from "../../generator/moment.ts"
import { metadata } from "../../generator/text.ts"
import { law, lawForAll, makeLawsWithStoredData } from "../Law.ts"
import { assertSameRows, readAllPages } from "../rowAssertions.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { newEvent } from "./endpoints.ts"

const event: FastCheck.Arbitrary<NewEvent> = FastCheck.record({
  orgId: FastCheck.constant(""),
  type: FastCheck.constantFrom(...eventTypes),
  data: FastCheck.oneof(metadata, FastCheck.constantFrom<unknown>(null, [], "text", 0)),
  person: FastCheck.option(
    FastCheck.constantFrom("00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b")
  ),
  createdAt: moment
})

const events = FastCheck.array(event, { maxLength: 12 })

/** Returns an org's expected log after appending these events to an empty log. */
const numberEvents = (orgId: string, events: ReadonlyArray<NewEvent>): ReadonlyArray<StoredEvent> =>
  events.map((event, at) => ({ ...event, orgId, id: at + 1 }))

/** Appends events to the logs of a new org and another org. */
const appendEvents = (events: ReadonlyArray<NewEvent>) =>
  Effect.gen(function*() {
    const [{ id: orgId }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
    yield* Store.eventLog.append(
      events.flatMap((event) => [{ ...event, orgId: twinId, data: "twin" }, { ...event, orgId }])
    )
    return { orgId, log: numberEvents(orgId, events) }
  })

const noYoungEvents = { youngAfter: Instant.max, youngBefore: Instant.min }

const clockJump = FastCheck.oneof(
  { arbitrary: FastCheck.integer({ min: 0, max: 3000 }), weight: 4 },
  { arbitrary: FastCheck.integer({ min: -15_000, max: 15_000 }), weight: 1 }
)

/** Events in ID order, stamped by a clock that jumps by up to 15 s in either direction. */
const stampedEvents = FastCheck.array(FastCheck.tuple(event, clockJump), { maxLength: 15 }).map((rows) => {
  let now: number = origin
  return rows.map(([event, jumpMs]): NewEvent => ({ ...event, createdAt: Instant.make(now += jumpMs) }))
})

interface EventRequest {
  readonly after: number
  readonly limit: number
  readonly type: EventType | undefined
  readonly now: number
}

const request: FastCheck.Arbitrary<EventRequest> = FastCheck.record({
  after: FastCheck.nat({ max: 16 }),
  limit: FastCheck.integer({ min: 1, max: 8 }),
  type: FastCheck.option(FastCheck.constantFrom("booking.held", "booking.moved", "org.updated"), { nil: undefined }),
  now: FastCheck.integer({ min: origin - 20_000, max: origin + 40_000 })
})

/**
 * Computes H by its definition: the ID before the lowest young event after the cursor, or the latest ID if there is no
 * such event.
 */
const computeHead = (
  log: ReadonlyArray<StoredEvent>,
  after: number,
  youngAfter: number,
  youngBefore: number
): number => {
  const young = log.filter(({ createdAt, id }) => id > after && youngAfter < createdAt && createdAt < youngBefore)
  return young.length === 0 ? log.length : Math.min(...young.map(({ id }) => id)) - 1
}

const logLaw = makeLawsWithStoredData(appendEvents)

export const eventLaws = [
  lawForAll(
    "events/append",
    "numbers each org's events from 1 in order, and keeps them unchanged",
    FastCheck.tuple(events, events),
    function*([first, second]) {
      const { orgId } = yield* appendEvents(first)
      yield* Store.eventLog.append(second.map((event) => ({ ...event, orgId })))
      const all = numberEvents(orgId, [...first, ...second])
      assert.deepStrictEqual(yield* Store.eventLog.latest(orgId, 1000), all)
      const { events: page, nextAfter } = yield* Store.eventLog.page({ orgId, after: 0, limit: 1000, ...noYoungEvents })
      assert.deepStrictEqual(page, all)
      assert.strictEqual(nextAfter, all.length)
    }
  ),

  logLaw(
    "events/page",
    "returns a type's events after a given ID, and stops before the first recent event, even if the clock jumps",
    FastCheck.tuple(stampedEvents, FastCheck.array(request)),
    function*({ log, orgId }, requests) {
      for (const { after, limit, now, type } of requests) {
        const [youngAfter, youngBefore] = [Instant.make(now - 2000), Instant.make(now + 2000)]
        const head = computeHead(log, after, youngAfter, youngBefore)
        const expected = log.filter((event) =>
          event.id > after && event.id <= head && (type === undefined || event.type === type)
        )
        const page = yield* Store.eventLog.page({ orgId, after, type, limit, youngAfter, youngBefore })
        const events = expected.slice(0, limit)
        const nextAfter = Math.max(after, events.length === limit ? events.at(-1)?.id ?? 0 : head)
        assert.deepStrictEqual(page, { events, nextAfter })
      }
    },
    (runs) => runs * 3
  ),

  law(
    "events/young",
    "withholds only events created strictly between the two given times",
    function*() {
      for (
        const [createdAt, isYoung] of [[999, false], [1000, false], [1001, true], [2999, true], [3000, false]] as const
      ) {
        const { id: orgId } = yield* createEmptyOrg
        yield* Store.eventLog.append([{ ...newEvent(orgId), createdAt: Instant.make(createdAt) }])
        const bounds = { youngAfter: Instant.make(1000), youngBefore: Instant.make(3000) }
        const { events, nextAfter } = yield* Store.eventLog.page({ orgId, after: 0, limit: 10, ...bounds })
        assert.deepStrictEqual([events.length, nextAfter], isYoung ? [0, 0] : [1, 1], String(createdAt))
      }
    }
  ),

  logLaw(
    "events/latest",
    "returns the newest events, oldest first",
    FastCheck.tuple(events, FastCheck.integer({ min: 1, max: 14 })),
    function*({ log, orgId }, limit) {
      assert.deepStrictEqual(yield* Store.eventLog.latest(orgId, limit), log.slice(-limit))
    }
  ),

  logLaw(
    "events/about-customer",
    "pages through the events about a customer, oldest first, and only in the customer's org",
    FastCheck.tuple(events, FastCheck.integer({ min: 1, max: 4 })),
    function*({ log, orgId }, limit) {
      for (const customer of new Set(log.map(({ person }) => person ?? newId()))) {
        const expected = log.filter(({ person }) => person === customer)
        const pages = yield* readAllPages(
          limit,
          (after: number = 0) => Store.eventLog.about(orgId, customer, after, limit),
          ({ id }) => id
        )
        assert.deepStrictEqual(pages, expected)
      }
    }
  ),

  lawForAll(
    "events/rewrite",
    "rewrites only the data of the selected events, and only in their org",
    FastCheck.tuple(events, FastCheck.array(FastCheck.nat({ max: 11 }))),
    function*([rows, indexes]) {
      const [one, other] = [yield* appendEvents(rows), yield* appendEvents(rows)]
      const ids = [...new Set(indexes)].filter((at) => at < rows.length).map((at) => at + 1)
      yield* Store.eventLog.rewrite(one.orgId, ids.map((id) => ({ id, data: { erased: id } })))
      assert.deepStrictEqual(
        yield* Store.eventLog.latest(one.orgId, 1000),
        one.log.map((event) => ids.includes(event.id) ? { ...event, data: { erased: event.id } } : event)
      )
      assert.deepStrictEqual(yield* Store.eventLog.latest(other.orgId, 1000), other.log)
    }
  ),

  lawForAll(
    "events/dense",
    "assigns event IDs without gaps while transactions of two orgs run concurrently and some fail",
    FastCheck.array(
      FastCheck.tuple(FastCheck.integer({ min: 1, max: 4 }), FastCheck.boolean(), FastCheck.boolean()),
      { maxLength: 20 }
    ),
    function*(units) {
      const orgs = (yield* Effect.all([createEmptyOrg, createEmptyOrg])).map(({ id }) => id)
      const lengths = new Map(orgs.map((id) => [id, 0]))
      yield* Effect.forEach(units, ([length, usesSecondOrg, fails], at) => {
        const orgId = orgs[usesSecondOrg ? 1 : 0] ?? ""
        if (!fails) lengths.set(orgId, (lengths.get(orgId) ?? 0) + length)
        const rows = Array.from({ length }, (_, nth) => ({ ...newEvent(orgId), data: { unit: at, nth } }))
        return Effect.exit(
          Store.run(Effect.zipRight(Store.eventLog.append(rows), fails ? Effect.fail("no") : Effect.yieldNow()))
        )
      }, { concurrency: "unbounded", discard: true })
      for (const orgId of orgs) {
        const events = yield* Store.eventLog.latest(orgId, 1000)
        assert.deepStrictEqual(
          events.map(({ id }) => id),
          Array.from({ length: lengths.get(orgId) ?? 0 }, (_, at) => at + 1)
        )
        // The events from one unit of work are contiguous.
        const positions = events.map(({ data }) => data as { readonly unit: number; readonly nth: number })
        positions.forEach(({ nth, unit }, at) => {
          if (nth > 0) assert.deepStrictEqual(positions[at - 1], { unit, nth: nth - 1 })
        })
      }
    },
    () => 5
  ),

  lawForAll(
    "events/heads",
    "counts an org's committed events and touches, and assigns no event ID to a touch",
    FastCheck.array(
      FastCheck.record({
        orgIndex: FastCheck.nat({ max: 2 }),
        events: FastCheck.nat({ max: 3 }),
        touches: FastCheck.nat({ max: 2 }),
        fails: FastCheck.boolean()
      }),
      { maxLength: 12 }
    ),
    function*(units) {
      const orgs = (yield* Effect.all([createEmptyOrg, createEmptyOrg, createEmptyOrg])).map(({ id }) => id)
      const eventCounts = new Map(orgs.map((orgId) => [orgId, 0]))
      const expectedHeads = new Map<string, number>()
      for (const { events, fails, orgIndex, touches } of units) {
        const orgId = orgs[orgIndex] ?? ""
        const row = { ...newEvent(orgId), createdAt: Instant.max }
        yield* Effect.exit(Store.run(Effect.gen(function*() {
          yield* Store.eventLog.append(Array.from({ length: events }, () => row))
          yield* Effect.replicateEffect(Store.eventLog.touch(orgId), touches, { discard: true })
          if (fails) yield* Effect.fail("no")
        })))
        if (!fails && events + touches > 0) {
          eventCounts.set(orgId, (eventCounts.get(orgId) ?? 0) + events)
          expectedHeads.set(orgId, (expectedHeads.get(orgId) ?? 0) + events + touches)
        }
        assertSameRows(
          yield* Store.eventLog.heads([...orgs, orgId, newId()]),
          [...expectedHeads].map(([orgId, head]) => ({ orgId, head }))
        )
        assert.strictEqual((yield* Store.eventLog.heads([orgId, orgId])).length, expectedHeads.has(orgId) ? 1 : 0)
      }
      for (const orgId of orgs) {
        const ids = (yield* Store.eventLog.latest(orgId, 1000)).map(({ id }) => id)
        assert.deepStrictEqual(ids, Array.from({ length: eventCounts.get(orgId) ?? 0 }, (_, at) => at + 1))
      }
    }
  )
]
