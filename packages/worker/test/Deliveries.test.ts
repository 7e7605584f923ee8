import { it } from "@effect/vitest"
import type { EventLog, UnitOfWork } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import { Deliveries, type DeliveryFault, deliveryFaults, DeliveryQueue, WebhookStore } from "@trailbook/core/webhook"
import { Webhooks } from "@trailbook/core/webhook/Webhooks"
import { FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { assert, describe } from "vitest"
import { runs } from "../../../test/runs.ts"
import { pass, settleFibers } from "./settled.ts"
import {
  cancelledType,
  claim,
  claimLease,
  deliveryStatus,
  emitEvents,
  endpoint,
  movedType,
  org,
  orgId,
  outsideServices,
  readDeliveredIds,
  run,
  runAll,
  setAnswer,
  start,
  status,
  unreachableAnswer,
  url,
  world
} from "./world.ts"

const many = (n: number) => Array.from({ length: n }, () => movedType)
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const minute = 60_000

describe("event delivery", () => {
  it.effect("starts with the first event after a new endpoint is added", () =>
    Effect.gen(function*() {
      yield* org()
      yield* emitEvents(many(3))
      yield* endpoint("a")
      assert.isTrue(Option.isNone(yield* claim))
      yield* emitEvents(many(2))
      assert.strictEqual(yield* runAll, 2)
      assert.deepEqual(yield* readDeliveredIds("a"), [4, 5])
    }).pipe(Effect.provide(world)))

  it.effect("sends an endpoint its subscribed events in order, one at a time", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("all")
      yield* endpoint("moves", { events: ["booking.moved"] })
      yield* endpoint("future", { events: ["trail.opened"] })
      yield* emitEvents([movedType, cancelledType, movedType, cancelledType, cancelledType])
      assert.strictEqual(yield* runAll, 7)
      assert.deepEqual(yield* readDeliveredIds("all"), [1, 2, 3, 4, 5])
      assert.deepEqual(yield* readDeliveredIds("moves"), [1, 3])
      assert.deepEqual(yield* readDeliveredIds("future"), [])
      assert.strictEqual(yield* (yield* FakeWebhookSender).most, 1)
    }).pipe(Effect.provide(world)))

  it.effect("sends an endpoint only the events of its outfitter", () =>
    Effect.gen(function*() {
      yield* org(1)
      yield* org(2)
      yield* endpoint("a", { org: 1 })
      yield* endpoint("b", { org: 2 })
      yield* emitEvents(many(2), 1)
      yield* emitEvents(many(1), 2)
      yield* runAll
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 2])
      assert.deepEqual(yield* readDeliveredIds("b"), [1])
    }).pipe(Effect.provide(world)))

  it.effect("sends the event as JSON, signed with the webhook's secret", () =>
    Effect.gen(function*() {
      yield* org()
      const webhooks = yield* Webhooks
      const { secret, webhook } = yield* webhooks.create({ orgId: orgId(1), url: url("a"), events: ["*"] })
      yield* emitEvents([movedType])
      yield* TestClock.adjust("3 seconds")
      yield* runAll
      const [delivery] = yield* (yield* FakeWebhookSender).got
      assert.deepEqual(JSON.parse(delivery?.body ?? ""), {
        id: 1,
        type: "booking.moved",
        created_at: "2026-05-01T15:00:00.000Z",
        data: { type: "booking.moved" }
      })
      const { body: _, ...rest } = delivery ?? {}
      assert.deepEqual(rest, {
        webhookId: webhook.id,
        url: url("a"),
        secret,
        eventId: 1,
        eventType: "booking.moved",
        at: start + 3000
      })
      assert.match(secret, /^whsec_[0-9A-Za-z]{44}$/)
    }).pipe(Effect.provide(world)))

  it.effect("stops at an event without a 2xx response", () =>
    Effect.gen(function*() {
      const refusals = [
        ...[100, 199, 300, 301, 307, 400, 404, 410, 500, 503, 599].map((code) => ({
          answer: status(code),
          shown: [code, "status"] as const
        })),
        ...deliveryFaults.filter((fault): fault is Exclude<DeliveryFault, "status"> => fault !== "status").map((
          fault
        ) => ({ answer: unreachableAnswer(fault), shown: [0, fault] as const }))
      ]
      for (const { answer, shown } of refusals) {
        yield* Effect.gen(function*() {
          yield* org()
          const webhook = yield* endpoint("a")
          yield* setAnswer("a", answer)
          yield* emitEvents(many(3))
          assert.strictEqual(yield* runAll, 0)
          assert.deepEqual(yield* readDeliveredIds("a"), [1])
          assert.deepEqual(yield* deliveryStatus(webhook), [...shown, start])
        }).pipe(Effect.provide(Layer.fresh(world)))
      }
    }))

  it.effect("continues and clears the failure after any 2xx status", () =>
    Effect.gen(function*() {
      yield* org()
      const webhook = yield* endpoint("a")
      yield* setAnswer("a", status(500))
      yield* emitEvents([movedType])
      yield* runAll
      for (const [at, code] of [200, 201, 202, 204, 299].entries()) {
        yield* setAnswer("a", status(code))
        yield* emitEvents([movedType])
        assert.strictEqual(yield* runAll, at === 0 ? 2 : 1)
        assert.deepEqual(yield* deliveryStatus(webhook), [code, null, start])
      }
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 1, 2, 3, 4, 5, 6])
    }).pipe(Effect.provide(world)))

  it.effect("records a timeout if a request takes 6 seconds", () =>
    Effect.gen(function*() {
      yield* org()
      const webhook = yield* endpoint("a")
      yield* setAnswer("a", Effect.never)
      yield* emitEvents([movedType])
      const fiber = yield* Effect.fork(runAll)
      yield* settleFibers
      yield* pass("6 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), 0)
      assert.deepEqual(yield* deliveryStatus(webhook), [0, "timeout", Instant.make(start + 6000)])
    }).pipe(Effect.provide(world)))

  it.effect("retries a stopped endpoint every 5 minutes until it succeeds", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      yield* setAnswer("a", status(503))
      yield* emitEvents(many(2))
      yield* runAll
      for (const attempts of [1, 2, 3]) {
        assert.deepEqual(yield* readDeliveredIds("a"), Array.from({ length: attempts }, () => 1))
        yield* TestClock.adjust(5 * minute - 1)
        assert.isTrue(Option.isNone(yield* claim))
        yield* TestClock.adjust(1)
        yield* runAll
      }
      yield* setAnswer("a", status(200))
      yield* TestClock.adjust(5 * minute)
      assert.strictEqual(yield* runAll, 2)
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 1, 1, 1, 1, 2])
    }).pipe(Effect.provide(world)))

  it.effect("retries a stopped endpoint when a subscribed event occurs", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a", { events: ["booking.moved"] })
      yield* setAnswer("a", status(503))
      yield* emitEvents([movedType, movedType])
      yield* runAll
      yield* emitEvents([movedType])
      yield* runAll
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 1])
      yield* setAnswer("a", status(200))
      yield* emitEvents([movedType])
      assert.strictEqual(yield* runAll, 4)
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 1, 1, 2, 3, 4])
    }).pipe(Effect.provide(world)))

  it.effect("does not retry a stopped endpoint after an event of an unsubscribed type", () =>
    Effect.gen(function*() {
      yield* org()
      const webhook = yield* endpoint("a", { events: ["booking.moved"] })
      yield* setAnswer("a", status(503))
      // The missed events fill more than one page, so the first page alone does not contain the new events.
      yield* emitEvents(many(60))
      yield* runAll
      yield* TestClock.adjust("1 seconds")
      for (const _ of ids(1, 3)) {
        yield* emitEvents([cancelledType])
        assert.strictEqual(yield* runAll, 0)
        assert.isTrue(Option.isNone(yield* claim))
      }
      assert.deepEqual(yield* readDeliveredIds("a"), [1])
      assert.deepEqual(yield* deliveryStatus(webhook), [503, "status", start])
      yield* emitEvents([cancelledType, movedType])
      yield* runAll
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 1])
    }).pipe(Effect.provide(world)))

  it.effect("does not retry immediately if an event occurs during a failing attempt", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      const outer = yield* Effect.context<EventLog | UnitOfWork>()
      yield* setAnswer("a", Effect.as(Effect.provide(emitEvents([movedType]), outer), status(500)))
      yield* emitEvents([movedType])
      assert.strictEqual(yield* runAll, 0)
      assert.deepEqual(yield* readDeliveredIds("a"), [1])
    }).pipe(Effect.provide(world)))

  it.effect("sends at most 50 events per run", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      yield* emitEvents(many(120))
      const results = []
      for (const _ of ids(1, 3)) results.push(yield* run(yield* claimLease))
      assert.deepEqual(results, [50, 50, 20].map((count) => ({ delivered: count, end: "done" })))
      assert.isTrue(Option.isNone(yield* claim))
      assert.deepEqual(yield* readDeliveredIds("a"), ids(1, 120))
    }).pipe(Effect.provide(world)))

  it.effect("switches to another waiting endpoint after a full run", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      yield* endpoint("b")
      yield* emitEvents(many(60))
      const turns = []
      for (const _ of ids(1, 4)) {
        const lease = yield* claimLease
        turns.push(lease.claim.webhook.url)
        yield* run(lease)
        yield* TestClock.adjust(1)
      }
      assert.deepEqual([...turns].sort(), [url("a"), url("a"), url("b"), url("b")])
      assert.notStrictEqual(turns[0], turns[1])
    }).pipe(Effect.provide(world)))
})

describe("a delivery claim", () => {
  it.effect("becomes invalid if the webhook is rewound", () =>
    Effect.gen(function*() {
      yield* org()
      const webhook = yield* endpoint("a")
      const { rewind } = yield* WebhookStore
      yield* emitEvents(many(4))
      yield* setAnswer("a", Effect.as(rewind(webhook, 0), status(200)))
      assert.deepEqual(yield* run(yield* claimLease), { delivered: 0, end: "void" })
      assert.deepEqual(yield* readDeliveredIds("a"), [1])
      yield* setAnswer("a", status(200))
      yield* runAll
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 1, 2, 3, 4])
    }).pipe(Effect.provide(world)))

  it.effect("becomes invalid if the endpoint is deleted", () =>
    Effect.gen(function*() {
      yield* org()
      const { remove } = yield* WebhookStore
      for (const [name, answer] of [["a", status(200)], ["b", status(500)]] as const) {
        const webhook = yield* endpoint(name)
        yield* emitEvents(many(2))
        yield* setAnswer(name, Effect.as(remove(webhook), answer))
        assert.deepEqual(yield* run(yield* claimLease), { delivered: 0, end: "void" })
        assert.lengthOf(yield* readDeliveredIds(name), 1)
      }
    }).pipe(Effect.provide(world)))

  it.effect("is renewed before a request that could outlast the lease", () =>
    Effect.gen(function*() {
      const renewed: Array<number> = []
      const watched = Layer.effect(
        DeliveryQueue,
        Effect.map(DeliveryQueue, (queue) => ({
          ...queue,
          renew: (claim, leaseMs) =>
            Effect.zipRight(Effect.sync(() => renewed.push(leaseMs)), queue.renew(claim, leaseMs))
        }))
      )
      yield* Effect.gen(function*() {
        yield* org()
        yield* endpoint("a")
        yield* emitEvents(many(3))
        const early = yield* claimLease
        yield* TestClock.adjust(30_000 - 6001)
        yield* run(early)
        assert.deepEqual(renewed, [])
        yield* emitEvents(many(3))
        const late = yield* claimLease
        yield* TestClock.adjust(30_000 - 6000)
        assert.deepEqual(yield* run(late), { delivered: 3, end: "done" })
        // Recording a delivery also renews the lease, so one explicit renewal is enough.
        assert.deepEqual(renewed, [30_000])
      }).pipe(
        Effect.provide(
          Layer.mergeAll(Deliveries.layer, Webhooks.layer).pipe(
            Layer.provideMerge(Layer.provideMerge(watched, outsideServices))
          )
        )
      )
    }))

  it.effect("permits no request after another worker claims the endpoint", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      yield* emitEvents(many(2))
      const frozen = yield* claimLease
      yield* TestClock.adjust("31 seconds")
      const next = yield* claimLease
      assert.deepEqual(yield* run(frozen), { delivered: 0, end: "void" })
      assert.deepEqual(yield* readDeliveredIds("a"), [])
      yield* run(next)
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 2])
    }).pipe(Effect.provide(world)))

  it.effect("prevents other claims of the endpoint until it is released", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      yield* emitEvents(many(1))
      const { release } = yield* Deliveries
      const lease = yield* claimLease
      assert.isTrue(Option.isNone(yield* claim))
      yield* release(lease)
      yield* run(yield* claimLease)
      assert.deepEqual(yield* readDeliveredIds("a"), [1])
    }).pipe(Effect.provide(world)))
})

describe("a delivery run", () => {
  it.effect("ends after the request in progress if the worker stops", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      yield* emitEvents(many(5))
      const gate = yield* Deferred.make<void>()
      const { got: all } = yield* FakeWebhookSender
      yield* setAnswer(
        "a",
        Effect.as(
          Effect.whenEffect(
            Deferred.succeed(gate, undefined),
            Effect.map(all, ({ length }) => length === 2)
          ),
          status(200)
        )
      )
      assert.deepEqual(yield* run(yield* claimLease, Deferred.isDone(gate)), { delivered: 2, end: "asked" })
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 2])
      yield* runAll
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 2, 3, 4, 5])
    }).pipe(Effect.provide(world)))

  it.effect("aborts its request when interrupted, and a later run resends the event", () =>
    Effect.gen(function*() {
      yield* org()
      const webhook = yield* endpoint("a")
      yield* emitEvents(many(2))
      yield* setAnswer("a", Effect.never)
      const lease = yield* claimLease
      const fiber = yield* Effect.fork(run(lease))
      yield* settleFibers
      yield* Fiber.interrupt(fiber)
      assert.deepEqual(yield* deliveryStatus(webhook), [null, null, null])
      yield* (yield* Deliveries).release(lease)
      yield* setAnswer("a", status(200))
      yield* runAll
      assert.deepEqual(yield* readDeliveredIds("a"), [1, 1, 2])
    }).pipe(Effect.provide(world)))

  it.effect("records a received response, even if the run is then interrupted", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const slow = Layer.effect(
        DeliveryQueue,
        Effect.map(DeliveryQueue, (queue) => ({
          ...queue,
          recordSuccess: (...args) => Effect.zipRight(Deferred.await(gate), queue.recordSuccess(...args))
        }))
      )
      yield* Effect.gen(function*() {
        yield* org()
        yield* endpoint("a")
        yield* emitEvents(many(2))
        const lease = yield* claimLease
        const fiber = yield* Effect.fork(run(lease))
        yield* settleFibers
        const interruption = yield* Effect.fork(Fiber.interrupt(fiber))
        yield* settleFibers
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(interruption)
        yield* (yield* Deliveries).release(lease)
        yield* runAll
        assert.deepEqual(yield* readDeliveredIds("a"), [1, 2])
      }).pipe(
        Effect.provide(
          Layer.mergeAll(Deliveries.layer, Webhooks.layer).pipe(
            Layer.provideMerge(Layer.provideMerge(slow, outsideServices))
          )
        )
      )
    }))
})

describe("a test event", () => {
  it.effect("has the ID 0, and does not change the endpoint's state", () =>
    Effect.gen(function*() {
      yield* org()
      const { secret, webhook } = yield* (yield* Webhooks).create({ orgId: orgId(1), url: url("a"), events: ["x.y"] })
      const { test } = yield* Deliveries
      assert.deepEqual(yield* test(webhook), status(200))
      yield* setAnswer("a", unreachableAnswer("dns"))
      assert.deepEqual(yield* test(webhook), unreachableAnswer("dns"))
      const [delivery] = yield* (yield* FakeWebhookSender).got
      assert.deepInclude(delivery, { eventId: 0, eventType: "webhook.test", secret })
      assert.deepInclude(JSON.parse(delivery?.body ?? ""), { id: 0, type: "webhook.test" })
      assert.deepEqual(yield* deliveryStatus(webhook), [null, null, null])
      const other = yield* Effect.flip(test({ orgId: orgId(2), id: webhook.id }))
      assert.strictEqual(other.code, "not_found")
    }).pipe(Effect.provide(world)))
})

describe("event delivery with any responses", () => {
  it.effect("sends every event in order, and retries only failures", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(FastCheck.boolean(), { maxLength: 25 }),
          FastCheck.array(FastCheck.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 3 }),
          (script, batches) =>
            Effect.gen(function*() {
              yield* org()
              yield* endpoint("a")
              const outcomes = [...script]
              const expected: Array<number> = []
              let takenCount = 0
              yield* setAnswer(
                "a",
                Effect.sync(() => {
                  expected.push(takenCount + 1)
                  const well = outcomes.shift() ?? true
                  if (well) takenCount++
                  return status(well ? 204 : 500)
                })
              )
              let total = 0
              for (const size of batches) {
                total += size
                yield* emitEvents(many(size))
                yield* runAll
              }
              const again = Effect.zipRight(TestClock.adjust(5 * minute), runAll)
              yield* Effect.repeat(again, { while: () => takenCount < total })
              assert.strictEqual(takenCount, total)
              assert.deepEqual(yield* readDeliveredIds("a"), expected)
            }).pipe(
              Effect.provide(Layer.fresh(world)),
              Effect.provide(TestContext.TestContext),
              Effect.runPromise
            )
        ),
        { numRuns: runs(15, 5) }
      )
    ))
})
