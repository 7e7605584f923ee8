import { it } from "@effect/vitest"
import { type Subscriber, SubscriberFailed, Subscriptions, SubscriptionStore } from "@trailbook/core/event"
import { EventLog, type StoredEvent, UnitOfWork } from "@trailbook/core/port"
import { currentTime } from "@trailbook/core/time/currentTime"
import { drainJob } from "@trailbook/worker/drainJob"
import { makeEventSubscriptionJob } from "@trailbook/worker/job/eventSubscriptionJob"
import { startJobLoop } from "@trailbook/worker/JobLoop"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as TestContext from "effect/TestContext"
import { assert, describe } from "vitest"
import { runs } from "../../../test/runs.ts"
import { pass, settleFibers } from "./settled.ts"
import { cancelledType, emitEvents, movedType, notEnding, org, orgId, world } from "./world.ts"

/** Removes the default logger, because these tests cause failures on purpose. */
const quiet = Layer.merge(world, Logger.remove(Logger.defaultLogger))

/** Creates a subscriber that records the event IDs that it receives, and then runs `doing`. */
const listener = (
  name: string,
  options: Partial<Subscriber> & { readonly doing?: (id: number) => Effect.Effect<void, SubscriberFailed> } = {}
) => {
  const received: Array<number> = []
  const { doing = () => Effect.void, ...fields } = options
  const subscriber: Subscriber = {
    orgId: orgId(1),
    name,
    type: "*",
    from: "start",
    isCanceled: notEnding,
    tell: ({ id }) =>
      Effect.suspend(() => {
        received.push(id)
        return doing(id)
      }),
    ...fields
  }
  return { subscriber, received }
}

const failure = Effect.fail(new SubscriberFailed({ message: "The host application's handler failed: Error." }))

/** Processes due events, as `runUntilIdle` does. */
const once = (...subscribers: ReadonlyArray<Subscriber>) =>
  Effect.flatMap(makeEventSubscriptionJob(Effect.succeed(subscribers)), (use) => use(drainJob))

const claimOf = (subscriber: Subscriber) =>
  Effect.flatMap(
    Subscriptions,
    ({ claim }) => Effect.map(claim([subscriber]), ([lease]) => lease ?? assert.fail("no subscriber was claimed"))
  )

const runOf = (subscriber: Subscriber, ending = notEnding) =>
  Effect.flatMap(claimOf(subscriber), (lease) => Effect.flatMap(Subscriptions, ({ run }) => run(lease, ending)))

/** Appends events and waits until they are old enough to be served. */
const appendEvents = (types: Parameters<typeof emitEvents>[0], n = 1) =>
  Effect.zipRight(emitEvents(types, n), pass("2 seconds"))

const many = (n: number) => Array.from({ length: n }, () => movedType)
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

const place = (subscriber: Subscriber) =>
  Effect.flatMap(
    SubscriptionStore,
    ({ claim, release }) =>
      Effect.flatMap(claim(subscriber, 1000), (claimOption) =>
        Option.isNone(claimOption)
          ? Effect.succeed(undefined)
          : Effect.as(release(claimOption.value), claimOption.value.cursor))
  )

describe("a subscriber", () => {
  it.effect("receives each event once, in order, across pages", () =>
    Effect.gen(function*() {
      yield* org()
      yield* appendEvents(many(120))
      const { received, subscriber } = listener("crm")
      assert.deepEqual(yield* once(subscriber), { delivered: 120, failed: 0 })
      assert.deepEqual(received, ids(1, 120))
      assert.deepEqual(yield* once(subscriber), {})
    }).pipe(Effect.provide(quiet)))

  it.effect("receives an event only after it is 2 seconds old", () =>
    Effect.gen(function*() {
      yield* org()
      const { received, subscriber } = listener("crm")
      yield* emitEvents([movedType])
      yield* pass("1999 millis")
      yield* once(subscriber)
      assert.deepEqual(received, [])
      // A worker that finds no events stores nothing, so this is the first claim.
      const { claim, release } = yield* SubscriptionStore
      const first = Option.getOrThrow(yield* claim(subscriber, 1000))
      assert.strictEqual(first.fence, 1)
      yield* release(first)
      yield* pass("1 millis")
      yield* once(subscriber)
      assert.deepEqual(received, [1])
    }).pipe(Effect.provide(quiet)))

  it.effect("skips events of other types", () =>
    Effect.gen(function*() {
      yield* org()
      const { received, subscriber } = listener("crm", { type: cancelledType })
      yield* appendEvents([movedType, cancelledType, movedType])
      yield* once(subscriber)
      assert.deepEqual(received, [2])
      assert.strictEqual(yield* place(subscriber), 3)
    }).pipe(Effect.provide(quiet)))

  it.effect("receives only events of its org", () =>
    Effect.gen(function*() {
      yield* org(1)
      yield* org(2)
      yield* appendEvents([movedType], 1)
      yield* appendEvents([movedType, movedType], 2)
      const [one, two] = [listener("crm"), listener("crm", { orgId: orgId(2) })]
      yield* once(one.subscriber, two.subscriber)
      assert.deepEqual([one.received, two.received], [[1], [1, 2]])
    }).pipe(Effect.provide(quiet)))

  it.effect("starts with the first or the next event, as its from option specifies", () =>
    Effect.gen(function*() {
      yield* org()
      yield* appendEvents([movedType, movedType])
      const now = listener("now", { from: "now" })
      const start = listener("start")
      yield* once(now.subscriber, start.subscriber)
      assert.deepEqual([now.received, start.received], [[], [1, 2]])
      yield* appendEvents([movedType])
      // `from` has no effect on a known subscription.
      yield* once({ ...now.subscriber, from: "start" }, { ...start.subscriber, from: "now" })
      assert.deepEqual([now.received, start.received], [[3], [1, 2, 3]])
    }).pipe(Effect.provide(quiet)))

  it.effect("never receives events that were rolled back", () =>
    Effect.gen(function*() {
      yield* org()
      const { received, subscriber } = listener("crm", { type: cancelledType })
      const log = yield* EventLog
      const { run } = yield* UnitOfWork
      const event = { orgId: orgId(1), type: cancelledType, data: {}, person: null, createdAt: yield* currentTime }
      yield* Effect.flip(run(Effect.zipRight(log.append([event]), Effect.fail("refused"))))
      yield* appendEvents([movedType])
      yield* once(subscriber)
      assert.deepEqual(received, [])
    }).pipe(Effect.provide(quiet)))
})

describe("a subscriber that fails", () => {
  it.effect("is retried with exponential backoff up to 5 minutes", () =>
    Effect.gen(function*() {
      yield* org()
      let well = false
      const { received, subscriber } = listener("crm", { doing: (id) => id === 2 && !well ? failure : Effect.void })
      yield* appendEvents(many(3))
      assert.deepEqual(yield* once(subscriber), { delivered: 1, failed: 1 })
      for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
        const before = received.length
        yield* pass(seconds * 1000 - 1)
        yield* once(subscriber)
        assert.lengthOf(received, before, `the event was retried before ${seconds} seconds`)
        yield* pass("1 millis")
        yield* once(subscriber)
        assert.lengthOf(received, before + 1, `the event was not retried after ${seconds} seconds`)
      }
      assert.deepEqual(new Set(received.slice(1)), new Set([2]))
      well = true
      yield* pass("300 seconds")
      // After a success, the backoff starts over at one second, even for a failure in the same run.
      const atThree = { ...subscriber, tell: (event: StoredEvent) => event.id === 3 ? failure : subscriber.tell(event) }
      assert.deepEqual(yield* once(atThree), { delivered: 1, failed: 1 })
      assert.strictEqual(received.at(-1), 2)
      yield* pass("1 seconds")
      yield* once(subscriber)
      assert.strictEqual(received.at(-1), 3)
    }).pipe(Effect.provide(quiet)))

  it.effect("does not delay other subscribers", () =>
    Effect.gen(function*() {
      yield* org()
      const ill = listener("ill", { doing: () => failure })
      const well = listener("well")
      yield* appendEvents(many(3))
      assert.deepEqual(yield* once(ill.subscriber, well.subscriber), { delivered: 3, failed: 1 })
      assert.deepEqual([ill.received, well.received], [[1], [1, 2, 3]])
    }).pipe(Effect.provide(quiet)))

  it.effect("is retried even if it throws an unexpected error", () =>
    Effect.gen(function*() {
      yield* org()
      const { received, subscriber } = listener("crm", { doing: () => Effect.die(new TypeError("Ada")) })
      yield* appendEvents([movedType])
      assert.deepEqual(yield* once(subscriber), { delivered: 0, failed: 1 })
      yield* pass("1 seconds")
      yield* once(subscriber)
      assert.deepEqual(received, [1, 1])
    }).pipe(Effect.provide(quiet)))

  it.effect("is logged without the error's message", () => {
    const logs: Array<string> = []
    const logger = Logger.replace(
      Logger.defaultLogger,
      Logger.map(Logger.stringLogger, (line) => void logs.push(line))
    )
    return Effect.gen(function*() {
      yield* org()
      const { subscriber } = listener("crm", { doing: () => Effect.die(new TypeError("Ada")) })
      yield* appendEvents([movedType])
      yield* once(subscriber)
      assert.lengthOf(logs, 1)
      assert.match(logs.join(), /level=WARN .*TypeError.*subscriber=crm event=1|event=1 subscriber=crm/)
      assert.notInclude(logs.join(), "Ada")
    }).pipe(Effect.provide(logger), Effect.provide(quiet))
  })
})

describe("a subscriber in several processes", () => {
  it.effect("is called by one process at a time", () =>
    Effect.gen(function*() {
      yield* org()
      const gate = yield* Deferred.make<void>()
      const { received, subscriber } = listener("crm", { doing: () => Deferred.await(gate) })
      yield* appendEvents(many(2))
      const first = yield* Effect.fork(once(subscriber))
      yield* settleFibers
      assert.deepEqual(yield* once(subscriber), {})
      yield* Deferred.succeed(gate, undefined)
      assert.deepEqual(yield* Fiber.join(first), { delivered: 2, failed: 0 })
      assert.deepEqual(received, [1, 2])
    }).pipe(Effect.provide(quiet)))

  it.effect("resumes one minute after its process dies", () =>
    Effect.gen(function*() {
      yield* org()
      const dead = listener("crm", { doing: (id) => id === 2 ? Effect.never : Effect.void })
      const { received, subscriber } = listener("crm")
      yield* appendEvents(many(3))
      // As after `kill -9`, the run neither releases its claim nor stores anything.
      const run = yield* Effect.fork(runOf(dead.subscriber))
      yield* settleFibers
      yield* Fiber.interrupt(run)
      yield* pass("59999 millis")
      yield* once(subscriber)
      assert.deepEqual(received, [])
      yield* pass("1 millis")
      yield* once(subscriber)
      assert.deepEqual([dead.received, received], [[1, 2], [2, 3]])
    }).pipe(Effect.provide(quiet)))

  it.effect("retains its cursor when a run outlives its lease", () =>
    Effect.gen(function*() {
      yield* org()
      const gate = yield* Deferred.make<void>()
      const slow = listener("crm", { doing: () => Deferred.await(gate) })
      const { received, subscriber } = listener("crm")
      yield* appendEvents(many(3))
      const run = yield* Effect.fork(runOf(slow.subscriber))
      yield* settleFibers
      yield* pass("1 minutes")
      yield* once(subscriber)
      yield* Deferred.succeed(gate, undefined)
      assert.deepEqual(yield* Fiber.join(run), { delivered: 0, end: "void" })
      assert.deepEqual([slow.received, received], [[1], [1, 2, 3]])
      assert.strictEqual(yield* place(subscriber), 3)
    }).pipe(Effect.provide(quiet)))

  it.effect("renews its lease at each event", () =>
    Effect.gen(function*() {
      yield* org()
      const { received, subscriber } = listener("crm", { doing: (id) => pass(id < 4 ? "59 seconds" : "1 seconds") })
      yield* appendEvents(many(5))
      const lease = yield* claimOf(subscriber)
      assert.deepEqual(
        yield* Effect.flatMap(Subscriptions, ({ run }) => run(lease, notEnding)),
        { delivered: 5, end: "done" }
      )
      yield* appendEvents(many(2))
      const late = yield* claimOf(subscriber)
      yield* pass("1 minutes")
      assert.deepEqual(yield* Effect.flatMap(Subscriptions, ({ run }) => run(late, notEnding)), {
        delivered: 0,
        end: "void"
      })
      assert.deepEqual(received, ids(1, 5))
      yield* once(subscriber)
      assert.deepEqual(received, ids(1, 7))
    }).pipe(Effect.provide(quiet)))
})

describe("a subscription run", () => {
  it.effect("releases its claim even if the local clock is ahead", () =>
    Effect.gen(function*() {
      yield* org()
      const { received, subscriber } = listener("crm")
      yield* appendEvents([movedType])
      const clock = yield* Effect.clock
      const ahead: Clock.Clock = {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
        unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos() + 60_000_000_000n,
        currentTimeMillis: clock.currentTimeMillis,
        currentTimeNanos: Effect.map(clock.currentTimeNanos, (nanos) => nanos + 60_000_000_000n),
        sleep: (duration) => clock.sleep(duration)
      }
      const lease = yield* claimOf(subscriber)
      const { run } = yield* Subscriptions
      assert.deepEqual(yield* Effect.withClock(run(lease, notEnding), ahead), { delivered: 0, end: "void" })
      yield* once(subscriber)
      assert.deepEqual(received, [1])
    }).pipe(Effect.provide(quiet)))

  it.effect("ends before the next event on shutdown or removal", () =>
    Effect.gen(function*() {
      yield* org()
      let over = false
      const end = (id: number) =>
        Effect.sync(() => {
          over = id >= 2
        })
      const isOver = Effect.sync(() => over)
      yield* appendEvents(many(4))
      const stopper = listener("asked", { doing: end })
      assert.deepEqual(yield* runOf(stopper.subscriber, isOver), { delivered: 2, end: "asked" })
      over = false
      const off = listener("off", { doing: end, isCanceled: isOver })
      assert.deepEqual(yield* runOf(off.subscriber), { delivered: 2, end: "asked" })
      // The remaining events are available to the next run immediately.
      assert.deepEqual(yield* runOf(listener("off").subscriber), { delivered: 2, end: "done" })
    }).pipe(Effect.provide(quiet)))

  it.effect("is not restarted in its process while it hangs", () =>
    Effect.gen(function*() {
      yield* org()
      const stop = yield* Deferred.make<void>()
      const hanging = listener("hanging", { doing: () => Effect.never })
      const well = listener("well")
      const job = yield* makeEventSubscriptionJob(Effect.succeed([hanging.subscriber, well.subscriber]))
      yield* appendEvents([movedType])
      const { cutOff } = yield* job((job) => startJobLoop(job, stop))
      yield* pass("5 minutes")
      yield* appendEvents([movedType])
      yield* pass("500 millis")
      assert.deepEqual([hanging.received, well.received], [[1], [1, 2]])
      yield* cutOff
    }).pipe(Effect.provide(quiet)))

  it.effect("releases its claim if it is aborted", () =>
    Effect.gen(function*() {
      yield* org()
      const stop = yield* Deferred.make<void>()
      const hanging = listener("crm", { doing: () => Effect.never })
      yield* appendEvents([movedType])
      const { cutOff } = yield* Effect.flatMap(makeEventSubscriptionJob(Effect.succeed([hanging.subscriber])), (use) =>
        use((job) => startJobLoop(job, stop)))
      yield* settleFibers
      assert.deepEqual(hanging.received, [1])
      yield* Effect.zipRight(Deferred.succeed(stop, undefined), cutOff)
      const { received, subscriber } = listener("crm")
      yield* once(subscriber)
      assert.deepEqual(received, [1])
    }).pipe(Effect.provide(quiet)))
})

type Deed =
  | { readonly _tag: "Write"; readonly events: number }
  | { readonly _tag: "Pass"; readonly ms: number }
  /**
   * A process delivers pending events. Each call takes its result from this list. Calls beyond the end of the list
   * succeed.
   */
  | { readonly _tag: "Work"; readonly calls: ReadonlyArray<"well" | "fails" | "dies" | "dawdles"> }
  /** Completes the stalled calls. */
  | { readonly _tag: "Wake" }

const call = FastCheck.constantFrom(
  "well" as const,
  "well" as const,
  "fails" as const,
  "dies" as const,
  "dawdles" as const
)

const deed: FastCheck.Arbitrary<Deed> = FastCheck.oneof(
  FastCheck.integer({ min: 1, max: 4 }).map((events): Deed => ({ _tag: "Write", events })),
  FastCheck.constantFrom(500, 2000, 2000, 5000, 61_000).map((ms): Deed => ({ _tag: "Pass", ms })),
  FastCheck.array(call, { maxLength: 4 }).map((calls): Deed => ({ _tag: "Work", calls })),
  FastCheck.array(call, { maxLength: 4 }).map((calls): Deed => ({ _tag: "Work", calls })),
  FastCheck.constant<Deed>({ _tag: "Wake" })
)

describe("a subscriber with random failures", () => {
  it.effect("handles every event, and only after the previous event succeeds", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.array(deed, { minLength: 5, maxLength: 30, size: "max" }), (deeds) =>
          Effect.gen(function*() {
            yield* org()
            const dealt = new Set<number>()
            const early: Array<number> = []
            const runs: Array<Fiber.RuntimeFiber<unknown>> = []
            let gate = yield* Deferred.make<void>()
            let eventCount = 0
            const work = (calls: ReadonlyArray<"well" | "fails" | "dies" | "dawdles">) =>
              Effect.gen(function*() {
                const remaining = [...calls]
                const waits = gate
                const death = yield* Deferred.make<void>()
                const { subscriber } = listener("crm", {
                  doing: (id) =>
                    Effect.suspend(() => {
                      // Collect violations until the end, because an exception here would count as a subscriber
                      // failure.
                      if (id > 1 && !dealt.has(id - 1)) {
                        early.push(id)
                      }
                      const well = Effect.sync(() =>
                        void dealt.add(id)
                      )
                      switch (remaining.shift() ?? "well") {
                        case "well":
                          return well
                        case "fails":
                          return failure
                        case "dies":
                          return Effect.zipRight(Deferred.succeed(death, undefined), Effect.never)
                        case "dawdles":
                          return Effect.zipRight(Deferred.await(waits), well)
                      }
                    })
                })
                const { claim, run } = yield* Subscriptions
                const [lease] = yield* claim([subscriber])
                if (lease === undefined) return
                runs.push(yield* Effect.fork(Effect.raceFirst(run(lease, notEnding), Deferred.await(death))))
                yield* settleFibers
              })
            const wake = Effect.gen(function*() {
              yield* Deferred.succeed(gate, undefined)
              gate = yield* Deferred.make<void>()
              yield* Effect.forEach(runs.splice(0), Fiber.join, { discard: true })
            })
            for (const deed of deeds) {
              switch (deed._tag) {
                case "Write":
                  eventCount += deed.events
                  yield* emitEvents(many(deed.events))
                  break
                case "Pass":
                  yield* pass(deed.ms)
                  break
                case "Work":
                  yield* work(deed.calls)
                  break
                case "Wake":
                  yield* wake
              }
            }
            yield* wake
            for (let tries = 10; tries > 0 && dealt.size < eventCount; tries--) {
              yield* pass("5 minutes")
              yield* work([])
              yield* wake
            }
            assert.deepEqual([...dealt].sort((a, b) => a - b), ids(1, eventCount))
            assert.deepEqual(early, [])
          }).pipe(
            Effect.provide(Layer.fresh(quiet)),
            Effect.provide(TestContext.TestContext),
            Effect.runPromise
          )),
        { numRuns: runs(60, 15) }
      )
    ))
})
