import { assert, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { EventLog, type NewEvent, type StoredEvent, UnitOfWork } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import { layer } from "@trailbook/sqlite"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { createOutfit, event, newId, noon, org } from "./sample.ts"

const storage = layer({ filename: ":memory:" })

it.effect("the event log numbers each org's events in order without gaps", () =>
  Effect.gen(function*() {
    const log = yield* EventLog
    const { run } = yield* UnitOfWork
    const orgs = [newId(), newId(), newId()]
    yield* Effect.forEach(orgs, (id) => Effect.flatMap(OrgStore, ({ put }) => put(org(id))))
    const batches = FastCheck.sample(
      FastCheck.tuple(FastCheck.array(FastCheck.constantFrom(...orgs), { maxLength: 8 }), FastCheck.boolean()),
      60
    )
    const expected = new Map(orgs.map((id) => [id, [] as Array<number>]))
    let n = 0
    for (const [batch, isRefused] of batches) {
      const events = batch.map((orgId) => event(orgId, { data: ++n }))
      const append = run(Effect.zipRight(log.append(events), isRefused ? Effect.fail("refused") : Effect.void))
      yield* Effect.exit(append)
      if (!isRefused) { for (const { data, orgId } of events) expected.get(orgId)?.push(Number(data)) }
    }
    for (const [orgId, data] of expected) {
      const latest = yield* log.latest(orgId, 1000)
      assert.deepStrictEqual(latest.map((one) => [one.id, one.data]), data.map((item, at) => [at + 1, item]))
    }
  }).pipe(Effect.provide(storage)))

/** Computes a page directly from the definition, by scanning all events. */
const pageByRule = (
  events: ReadonlyArray<StoredEvent>,
  { after, limit, now, type }: { after: number; limit: number; now: number; type: string | undefined }
) => {
  const young = ({ createdAt }: StoredEvent) => Math.abs(createdAt - now) < 2000
  const first = events.find((one) => one.id > after && young(one))
  const head = first === undefined ? events.length : first.id - 1
  const matches = events.filter(({ id, type: of }) => id > after && id <= head && (type === undefined || of === type))
  const page = matches.slice(0, limit)
  return { events: page, nextAfter: Math.max(after, page.length === limit ? page.at(-1)?.id ?? 0 : head) }
}

const pageQuery = FastCheck.record({
  after: FastCheck.integer({ min: 0, max: 25 }),
  limit: FastCheck.integer({ min: 1, max: 6 }),
  now: FastCheck.integer({ min: -6000, max: 12_000 }).map((millis) => noon + millis),
  type: FastCheck.constantFrom(undefined, "org.updated", "offering.created", "no.such")
})

it.effect("an event page ends before the first event less than 2 seconds old", () =>
  Effect.gen(function*() {
    const log = yield* EventLog
    // The clock jumps in both directions, sometimes by exactly the age limit of young events.
    const steps = FastCheck.array(FastCheck.constantFrom(0, 1, 400, 1999, 2000, -1999, -2000, -5000, 3000), {
      maxLength: 20
    })
    for (const jumps of FastCheck.sample(steps, 40)) {
      const { orgId } = yield* createOutfit
      let at: number = noon
      const events = jumps.map((step, n): NewEvent => {
        at += step
        return event(orgId, { createdAt: Instant.make(at), type: n % 3 === 0 ? "offering.created" : "org.updated" })
      })
      yield* log.append(events)
      const logEvents = events.map((one, n) => ({ ...one, id: n + 1 }))
      for (const query of FastCheck.sample(pageQuery, 20)) {
        const { now, ...page } = query
        const young = { youngAfter: Instant.make(now - 2000), youngBefore: Instant.make(now + 2000) }
        assert.deepStrictEqual(yield* log.page({ ...page, orgId, ...young }), pageByRule(logEvents, query))
      }
    }
  }).pipe(Effect.provide(storage)))

it.effect("the event log returns any JSON data unchanged", () =>
  Effect.gen(function*() {
    const log = yield* EventLog
    const { orgId } = yield* createOutfit
    const data = ["text", 42, true, [1, "two", null], { deep: { "quo\"te": "línea\n\u2028" } }, "", {}]
    yield* log.append(data.map((data) => event(orgId, { data })))
    assert.deepStrictEqual((yield* log.latest(orgId, 100)).map((one) => one.data), data)
    yield* log.rewrite(orgId, data.toReversed().map((data, at) => ({ id: at + 1, data })))
    assert.deepStrictEqual((yield* log.latest(orgId, 100)).map((one) => one.data), data.toReversed())
  }).pipe(Effect.provide(storage)))
