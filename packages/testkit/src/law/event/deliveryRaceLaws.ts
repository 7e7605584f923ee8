/** Tests races between workers, writers, and new endpoints. */
import type { Storage } from "@trailbook/core/storage"
import type { Webhook } from "@trailbook/core/webhook"
import { assert } from "chai"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { makeRandomIntegers } from "../../fake/randomIntegers.ts"
import { law, runConcurrently, runRounds, yieldRepeatedly } from "../Law.ts"
import { newWebhook } from "../sampleRows.ts"
import { createEmptyOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { claimConcurrently } from "../task/queueRules.ts"
import { hourMs } from "../task/tasks.ts"
import {
  addEndpoint,
  appendNewEvents,
  assertNothingClaimable,
  claim,
  claimEndpoints,
  claimExpectedEndpoint,
  deliverAllEvents,
  removeAllEndpoints
} from "./endpoints.ts"

/** Yields a number of times that varies by round and position. */
const yieldRandomly = (next: () => number) => yieldRepeatedly(next() % 12)

type Write = Effect.Effect<void, never, Storage>

/**
 * Writes to an org and waits for the result, because a storage adapter may buffer the write until a result is needed.
 */
const flushWrite = (write: Effect.Effect<unknown, never, Storage>, orgId: string): Write =>
  Effect.zipRight(write, Effect.asVoid(Store.eventLog.latest(orgId, 1)))

/** Waits for a signal with a time limit, because a storage adapter may block one unit of work until the other ends. */
const withTimeLimit = <A>(signal: Effect.Effect<A>) => Effect.timeoutOption(signal, "200 millis")

/**
 * Which unit of work writes first while the other one is open, and whether it also commits first if the storage adapter
 * permits both orders.
 */
const interleavings = [
  ["the event", true],
  ["the event", false],
  ["the endpoint", true],
  ["the endpoint", false]
] as const

type Step = `${"early" | "late"} ${"ends" | "ended"}`

/**
 * Returns the units that could have committed first. A commit is not reported immediately, so if the ends of the two
 * units overlap, either order is possible.
 */
const findFirstCommits = (trace: ReadonlyArray<Step>): ReadonlyArray<"early" | "late"> => {
  const isBefore = (earlier: Step, later: Step) => trace.indexOf(earlier) < trace.lastIndexOf(later)
  if (isBefore("early ended", "late ends")) return ["early"]
  return isBefore("late ended", "early ends") ? ["late"] : ["early", "late"]
}

export const deliveryRaceLaws = [
  law(
    "deliveries/begins-exactly",
    "delivers every event committed after the endpoint was added, and no earlier event",
    function*() {
      for (const [first, commitsInOrder] of interleavings) {
        const { id: orgId } = yield* createEmptyOrg
        yield* appendNewEvents(orgId, 1)
        const webhook = newWebhook(orgId)
        const add = flushWrite(Store.webhooks.add(webhook), orgId)
        const event = flushWrite(appendNewEvents(orgId, 1), orgId)
        const [early, late]: readonly [Write, Write] = first === "the event" ? [event, add] : [add, event]
        const earlyWriteSignal = yield* Deferred.make<void>()
        const lateWriteSignal = yield* Deferred.make<void>()
        const earlyEndSignal = yield* Deferred.make<void>()
        const trace: Array<Step> = []
        const recordStep = (entry: Step) => Effect.sync(() => trace.push(entry))
        const other = yield* Effect.fork(Effect.zipRight(
          Deferred.await(earlyWriteSignal),
          Effect.zipRight(
            Store.run(late.pipe(
              Effect.zipRight(Deferred.succeed(lateWriteSignal, undefined)),
              Effect.zipRight(commitsInOrder ? withTimeLimit(Deferred.await(earlyEndSignal)) : Effect.void),
              Effect.zipRight(recordStep("late ends"))
            )),
            recordStep("late ended")
          )
        ))
        yield* Store.run(early.pipe(
          Effect.zipRight(Deferred.succeed(earlyWriteSignal, undefined)),
          Effect.zipRight(withTimeLimit(commitsInOrder ? Deferred.await(lateWriteSignal) : Fiber.await(other))),
          Effect.zipRight(recordStep("early ends"))
        ))
        yield* recordStep("early ended")
        yield* Deferred.succeed(earlyEndSignal, undefined)
        yield* Fiber.join(other)
        const outcomes = findFirstCommits(trace).map((winner) => (winner === "early") === (first === "the endpoint"))
        if (!outcomes.includes(true)) {
          yield* assertNothingClaimable("the event was committed before the endpoint was added")
        }
        yield* appendNewEvents(orgId, 1)
        const eventIds = yield* deliverAllEvents(yield* claimExpectedEndpoint(webhook))
        assert.deepInclude(outcomes.map((endpointFirst) => endpointFirst ? [2, 3] : [3]), eventIds)
        yield* removeAllEndpoints
      }
    }
  ),

  law(
    "deliveries/begins-among",
    "delivers to a new endpoint only events from transactions that started after the endpoint was added",
    ({ runs }) =>
      runRounds(runs, function*(round) {
        const next = makeRandomIntegers(round)
        const { id: orgId } = yield* createEmptyOrg
        /** The log positions before and after each endpoint was added. */
        const endpoints: Array<{ readonly webhook: Webhook; readonly before: number; readonly after: number }> = []
        const head = Effect.map(Store.eventLog.latest(orgId, 1), ([event]) => event?.id ?? 0)
        const write = Effect.zipRight(yieldRandomly(next), Store.run(appendNewEvents(orgId, 1 + next() % 3)))
        const add = Effect.gen(function*() {
          yield* yieldRandomly(next)
          const before = yield* head
          const webhook = yield* addEndpoint({ orgId })
          endpoints.push({ webhook, before, after: yield* head })
        })
        yield* runConcurrently([write, add, write, write, add, write, add, write])
        yield* appendNewEvents(orgId, 1)
        const last = yield* head
        const claims = yield* claimEndpoints(endpoints.length)
        assert.lengthOf(claims, endpoints.length)
        for (const { cursor, webhook } of claims) {
          const match = endpoints.find((endpoint) => endpoint.webhook.id === webhook.id)
          assert.isAtLeast(cursor, match?.before ?? last, "the endpoint receives an event from before it was added")
          assert.isAtMost(cursor, match?.after ?? 0, "the endpoint misses an event")
          assert.lengthOf((yield* Store.deliveries.pending(webhook, cursor, 1000)).events, last - cursor)
        }
        yield* removeAllEndpoints
      })
  ),

  law(
    "deliveries/looked-away",
    "finds the work that a transaction creates for an endpoint while workers are polling",
    function*() {
      for (const variant of [0, 1]) {
        const webhook = yield* addEndpoint()
        yield* appendNewEvents(webhook.orgId, 2)
        const firstClaim = yield* claimExpectedEndpoint(webhook)
        assert.deepStrictEqual(yield* deliverAllEvents(firstClaim), [1, 2])
        // All events have been delivered, and the endpoint has not been claimed since.
        const rewind = Store.webhooks.rewind(webhook, 1)
        const createWork: Effect.Effect<unknown, never, Storage> = variant === 0
          ? appendNewEvents(webhook.orgId, 1)
          : rewind
        const writeSignal = yield* Deferred.make<void>()
        const pollFiber = yield* Effect.fork(Effect.zipRight(Deferred.await(writeSignal), claim({ leaseMs: -1 })))
        yield* Store.run(
          flushWrite(createWork, webhook.orgId).pipe(
            Effect.zipRight(Deferred.succeed(writeSignal, undefined)),
            Effect.zipRight(withTimeLimit(Fiber.await(pollFiber)))
          )
        )
        yield* Fiber.join(pollFiber)
        assert.deepStrictEqual(yield* deliverAllEvents(yield* claimExpectedEndpoint(webhook)), [3 - variant])
        yield* assertNothingClaimable("everything was delivered")
        yield* removeAllEndpoints
      }
    }
  ),

  law(
    "deliveries/claimed-once",
    "gives each endpoint to only one of several concurrent workers",
    ({ runs }) =>
      runRounds(runs, function*(round) {
        const next = makeRandomIntegers(round)
        const { id: orgId } = yield* createEmptyOrg
        const endpoints = [
          ...(yield* Effect.replicateEffect(addEndpoint({ orgId }), 1 + next() % 3)),
          ...(yield* Effect.replicateEffect(addEndpoint(), next() % 3))
        ]
        yield* Effect.forEach(new Set(endpoints.map((webhook) => webhook.orgId)), (orgId) => appendNewEvents(orgId, 2))
        const claimOne = Effect.zipRight(yieldRandomly(next), Effect.map(claim(), Option.toArray))
        const claims = yield* claimConcurrently(claimOne, endpoints.length)
        const claimedIds = claims.map(({ webhook }) => webhook.id)
        assert.deepStrictEqual(claimedIds.sort(), endpoints.map(({ id }) => id).sort())
        yield* removeAllEndpoints
      })
  ),

  law(
    "deliveries/in-one-snapshot",
    "reads the newest event ID and the pending events in one snapshot",
    ({ runs }) =>
      runRounds(runs, function*(round) {
        const next = makeRandomIntegers(round)
        const webhook = yield* addEndpoint()
        const write = Effect.zipRight(yieldRandomly(next), appendNewEvents(webhook.orgId, 1 + next() % 3))
        const read = Effect.gen(function*() {
          yield* yieldRandomly(next)
          const { events, head } = yield* Store.deliveries.pending(webhook, 0, 1000)
          assert.deepStrictEqual(events.map(({ id }) => id), Array.from({ length: head }, (_, at) => at + 1))
        })
        yield* runConcurrently(Array.from({ length: 24 }, (_, at) => at % 3 === 0 ? write : read))
        yield* removeAllEndpoints
      })
  ),

  law(
    "deliveries/all-come",
    "delivers every event to each endpoint in order while workers and writers run concurrently and deliveries fail",
    ({ runs }) =>
      runRounds(runs, function*(round) {
        const next = makeRandomIntegers(round)
        const orgs = [yield* createEmptyOrg, yield* createEmptyOrg].map(({ id }) => id)
        const endpoints = yield* Effect.forEach([0, 0, 1, 1], (at) => addEndpoint({ orgId: orgs[at] ?? "" }))
        const deliveredIds = new Map(endpoints.map(({ id }): [string, Array<number>] => [id, []]))
        /**
         * One pass of a worker, which delivers a few events. If the endpoint is unreliable, a delivery sometimes fails,
         * and the endpoint's retry is then due immediately or much later.
         */
        const runPass = (isReliable: boolean) =>
          Effect.gen(function*() {
            yield* yieldRandomly(next)
            const current = Option.getOrUndefined(yield* claim())
            if (current === undefined) return false
            const { webhook } = current
            const limit = 1 + next() % 3
            const { events, head } = yield* Store.deliveries.pending(webhook, current.cursor, limit)
            for (const { id } of events) {
              if (!isReliable && next() % 5 === 0) {
                const retryMs = next() % 2 === 0 ? 0 : hourMs
                assert.isTrue(yield* Store.deliveries.recordFailure(current, { status: 500, fault: "status", retryMs }))
                return true
              }
              deliveredIds.get(webhook.id)?.push(id)
              assert.isTrue(yield* Store.deliveries.recordSuccess(current, id, 200, hourMs))
              yield* yieldRandomly(next)
            }
            yield* Store.deliveries.release(current, events.length < limit ? head : undefined)
            return true
          })
        const worker = Effect.replicateEffect(runPass(false), 20, { discard: true })
        const writer = (at: number) =>
          Effect.replicateEffect(
            Effect.zipRight(yieldRandomly(next), appendNewEvents(orgs[at] ?? "", 1 + next() % 2)),
            8,
            { discard: true }
          )
        yield* runConcurrently([worker, writer(0), worker, writer(1), worker])
        // Paused endpoints resume with the next event. From here on, no delivery fails.
        yield* Effect.forEach(orgs, (orgId) => appendNewEvents(orgId, 1))
        for (let remaining = 100; remaining > 0 && (yield* runPass(true)); remaining--);
        for (const webhook of endpoints) {
          const { head } = yield* Store.deliveries.pending(webhook, 0, 1)
          assert.deepStrictEqual(deliveredIds.get(webhook.id), Array.from({ length: head }, (_, at) => at + 1))
        }
        yield* removeAllEndpoints
      })
  )
]
