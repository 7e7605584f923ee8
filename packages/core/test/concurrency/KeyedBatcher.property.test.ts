import { describe, expect, it } from "@effect/vitest"
import * as KeyedBatcher from "@trailbook/core/concurrency/KeyedBatcher"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"

interface Request {
  readonly n: number
  /** One letter per key. */
  readonly key: string
}

interface Batch {
  readonly requests: ReadonlyArray<Request>
  readonly end: Deferred.Deferred<ReadonlyArray<Exit.Exit<number, string>>>
  readonly state: { running: boolean }
}

interface Options {
  readonly concurrency: number
  readonly maxBatchSize: number
  /** Whether a batch lingers for more requests before it starts. */
  readonly lingers?: boolean
}

const nextTask = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/**
 * Lets all runnable fibers continue. Fibers run in microtasks, so this effect waits for several macrotasks, which also
 * outlasts the linger.
 */
const settle = Effect.repeatN(nextTask, 4)

/** A manual clock for measuring durations. */
const clockOf = (time: { readonly ms: number }): Clock.Clock => {
  const nanos = () => BigInt(time.ms) * 1_000_000n
  return Object.assign(Clock.make(), { unsafeCurrentTimeNanos: nanos, currentTimeNanos: Effect.sync(nanos) })
}

const answersTo = (requests: ReadonlyArray<Request>) => requests.map(({ n }) => Exit.succeed(n * 10))

/** Creates a batcher whose batches block until the test completes them or ends. */
const bench = ({ lingers = false, ...options }: Options) =>
  Effect.gen(function*() {
    const batches: Array<Batch> = []
    let isOver = false
    const coalescer = yield* KeyedBatcher.make({
      ...options,
      ...(lingers ? { linger: nextTask } : {}),
      run: (requests: ReadonlyArray<Request>) =>
        Effect.gen(function*() {
          const end = yield* Deferred.make<ReadonlyArray<Exit.Exit<number, string>>>()
          const state = { running: true }
          batches.push({ requests, end, state })
          const answers = isOver ? answersTo(requests) : yield* Deferred.await(end)
          state.running = false
          return answers
        })
    })
    const running = () => batches.filter(({ state }) => state.running)
    return {
      batches,
      running,
      submit: (request: Request) => Effect.fork(coalescer.submit([...request.key], request)),
      end: ({ end, requests }: Batch) => Deferred.succeed(end, answersTo(requests)),
      over: Effect.suspend(() => {
        isOver = true
        return Effect.forEach(running(), ({ end, requests }) => Deferred.succeed(end, answersTo(requests)))
      })
    }
  })

type Bench = Effect.Effect.Success<ReturnType<typeof bench>>

const numbers = (batches: ReadonlyArray<Batch>) => batches.map(({ requests }) => requests.map(({ n }) => n))

const step = FastCheck.oneof(
  {
    weight: 6,
    arbitrary: FastCheck.array(FastCheck.constantFrom("a", "b", "c", "d", "ab", "bc", "ad"), {
      minLength: 1,
      maxLength: 4
    }).map((
      keys
    ) => ({
      _tag: "submit" as const,
      keys
    }))
  },
  { weight: 3, arbitrary: FastCheck.record({ _tag: FastCheck.constant("end" as const), pick: FastCheck.nat(3) }) },
  { weight: 2, arbitrary: FastCheck.record({ _tag: FastCheck.constant("hangUp" as const), pick: FastCheck.nat(20) }) }
)

const options = FastCheck.record({
  concurrency: FastCheck.integer({ min: 1, max: 3 }),
  maxBatchSize: FastCheck.integer({ min: 1, max: 4 }),
  lingers: FastCheck.boolean()
})

describe("KeyedBatcher under random load", () => {
  it.live("respects its limits and the request order", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          options,
          FastCheck.array(step, { maxLength: 25, size: "max" }),
          (options, steps) => Effect.runPromise(Effect.scoped(play(options, steps)))
        ),
        { numRuns: 80 }
      )
    ))
})

type Step = typeof step extends FastCheck.Arbitrary<infer A> ? A : never

const play = (options: Options, steps: ReadonlyArray<Step>) =>
  Effect.flatMap(bench(options), (bench) => Effect.ensuring(playOn(bench, options, steps), bench.over))

const playOn = (bench: Bench, options: Options, steps: ReadonlyArray<Step>) =>
  Effect.gen(function*() {
    const { batches, end, running, submit } = bench
    const submissions: Array<{ readonly request: Request; readonly fiber: Fiber.RuntimeFiber<number, string> }> = []
    const hungUp = new Set<number>()
    const findStarted = () => new Set(numbers(batches).flat())

    const check = () => {
      const busy = running().map(({ requests }) => new Set(requests.flatMap(({ key }) => [...key])))
      expect(busy.length).toBeLessThanOrEqual(options.concurrency)
      expect(busy.flatMap((keys) => [...keys])).toHaveLength(new Set(busy.flatMap((keys) => [...keys])).size)
      for (const { requests } of batches) expect(requests.length).toBeLessThanOrEqual(options.maxBatchSize)
      // No request waits while another batch can start, unless its key is busy or an earlier queued request has the
      // same key.
      const startedNumbers = findStarted()
      const waitingRequests = submissions.filter(({ request: { n } }) => !startedNumbers.has(n) && !hungUp.has(n))
      if (busy.length < options.concurrency) {
        const blocked = new Set(busy.flatMap((keys) => [...keys]))
        for (const { request: { key } } of waitingRequests) {
          expect([...key].some((one) => blocked.has(one))).toBe(true)
          for (const one of key) blocked.add(one)
        }
      }
      for (const key of ["a", "b", "c", "d"]) {
        const order = batches.flatMap(({ requests }) =>
          requests.filter((one) => one.key.includes(key)).map(({ n }) => n)
        )
        expect(order).toEqual(order.toSorted((a, b) => a - b))
      }
    }

    for (const step of steps) {
      switch (step._tag) {
        case "submit":
          for (const key of step.keys) {
            const request = { n: submissions.length, key }
            submissions.push({ request, fiber: yield* submit(request) })
          }
          break
        case "end": {
          const batch = running()[step.pick % Math.max(1, running().length)]
          if (batch !== undefined) yield* end(batch)
          break
        }
        case "hangUp": {
          const one = submissions[step.pick % Math.max(1, submissions.length)]
          if (one === undefined) break
          const wasQueued = !findStarted().has(one.request.n)
          yield* Fiber.interrupt(one.fiber)
          if (wasQueued) hungUp.add(one.request.n)
          break
        }
      }
      yield* settle
      check()
    }

    while (running().length > 0) {
      yield* Effect.forEach(running(), end)
      yield* settle
      check()
    }
    // An interrupted queued request never started. All other requests ran once and received a result.
    const all = numbers(batches).flat()
    expect(all.toSorted((a, b) => a - b)).toEqual(
      submissions.map(({ request: { n } }) => n).filter((n) => !hungUp.has(n))
    )
    for (const { fiber, request: { n } } of submissions) {
      const exit = yield* Fiber.await(fiber)
      if (Exit.isSuccess(exit)) expect(exit.value).toBe(n * 10)
      else expect(Cause.isInterruptedOnly(exit.cause)).toBe(true)
    }
  })

describe("KeyedBatcher", () => {
  const one = { concurrency: 1, maxBatchSize: 3 }

  it.scopedLive("collects requests while a batch runs", () =>
    Effect.gen(function*() {
      const { batches, end, submit } = yield* bench(one)
      yield* submit({ n: 0, key: "a" })
      yield* settle
      expect(numbers(batches)).toEqual([[0]])
      for (const n of [1, 2, 3, 4]) yield* submit({ n, key: "a" })
      yield* settle
      expect(numbers(batches)).toEqual([[0]])
      yield* end(batches[0]!)
      yield* settle
      expect(numbers(batches)).toEqual([[0], [1, 2, 3]])
      yield* end(batches[1]!)
      yield* settle
      expect(numbers(batches)).toEqual([[0], [1, 2, 3], [4]])
      yield* end(batches[2]!)
    }))

  it.scopedLive("waits while each event-loop turn adds a request", () =>
    Effect.gen(function*() {
      const { batches, over, submit } = yield* Effect.withClock(bench({ ...one, lingers: true }), clockOf({ ms: 0 }))
      yield* submit({ n: 0, key: "a" })
      yield* nextTask
      yield* submit({ n: 1, key: "a" })
      yield* nextTask
      expect(numbers(batches)).toEqual([])
      for (const n of [2, 3]) yield* submit({ n, key: "a" })
      yield* settle
      expect(numbers(batches)).toEqual([[0, 1, 2]])
      yield* over
    }))

  it.scopedLive("waits for at most 10 ms", () =>
    Effect.gen(function*() {
      const time = { ms: 0 }
      const lingering = bench({ concurrency: 1, maxBatchSize: 64, lingers: true })
      const { batches, over, submit } = yield* Effect.withClock(lingering, clockOf(time))
      for (let n = 0; batches.length === 0 && n < 64; n++) {
        yield* submit({ n, key: "a" })
        time.ms = 4 * n
        yield* nextTask
      }
      expect(numbers(batches)).toEqual([[0, 1, 2, 3]])
      yield* over
    }))

  it.scopedLive("runs requests with other keys while a batch runs", () =>
    Effect.gen(function*() {
      const { batches, submit } = yield* bench({ concurrency: 2, maxBatchSize: 3 })
      yield* submit({ n: 0, key: "a" })
      yield* settle
      yield* submit({ n: 1, key: "a" })
      yield* submit({ n: 2, key: "b" })
      yield* settle
      expect(numbers(batches)).toEqual([[0], [2]])
      yield* Effect.forEach(batches, ({ end }) => Deferred.succeed(end, []))
    }))

  it.scopedLive("drops a queued request if its caller is interrupted", () =>
    Effect.gen(function*() {
      const { batches, end, running, submit } = yield* bench(one)
      const first = yield* submit({ n: 0, key: "a" })
      yield* settle
      const second = yield* submit({ n: 1, key: "a" })
      const third = yield* submit({ n: 2, key: "a" })
      yield* settle
      yield* Fiber.interruptAll([first, second])
      expect(running()).toHaveLength(1)
      yield* end(batches[0]!)
      yield* settle
      expect(numbers(batches)).toEqual([[0], [2]])
      expect(batches[0]?.state.running).toBe(false)
      yield* end(batches[1]!)
      expect(yield* Fiber.join(third)).toBe(20)
    }))

  it.scopedLive("returns each request's own result or error", () =>
    Effect.gen(function*() {
      const { batches, submit } = yield* bench(one)
      const fibers = yield* Effect.forEach([0, 1, 2], (n) => submit({ n, key: "a" }))
      yield* settle
      // The first request ran alone.
      yield* Deferred.succeed(batches[0]!.end, [Exit.succeed(7)])
      yield* settle
      yield* Deferred.succeed(batches[1]!.end, [Exit.fail("full"), Exit.die("broken")])
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      expect(exits).toEqual([Exit.succeed(7), Exit.fail("full"), Exit.die("broken")])
    }))

  it.scopedLive("continues with the next batch after a batch dies", () =>
    Effect.gen(function*() {
      let calls = 0
      const coalescer = yield* KeyedBatcher.make({
        concurrency: 1,
        maxBatchSize: 10,
        run: (inputs: ReadonlyArray<number>) => {
          calls++
          if (calls === 1) throw new Error("thrown")
          return calls === 2 ? Effect.die(new Error("died")) : Effect.succeed(inputs.map((n) => Exit.succeed(n)))
        }
      })
      const messages = (fibers: ReadonlyArray<Fiber.RuntimeFiber<number>>) =>
        Effect.forEach(
          fibers,
          (fiber) =>
            Effect.map(Fiber.await(fiber), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit.value)
        )
      const first = yield* Effect.fork(coalescer.submit(["a"], 1))
      expect(yield* messages([first])).toEqual([new Error("thrown")])
      const second = yield* Effect.fork(coalescer.submit(["a"], 2))
      expect(yield* messages([second])).toEqual([new Error("died")])
      expect(yield* coalescer.submit(["a"], 3)).toBe(3)
    }))

  it.scopedLive("dies if a batch returns no result for one of its requests", () =>
    Effect.gen(function*() {
      const { batches, submit } = yield* bench(one)
      const fiber = yield* submit({ n: 0, key: "a" })
      yield* settle
      yield* Deferred.succeed(batches[0]!.end, [])
      const exit = yield* Fiber.await(fiber)
      expect(Exit.isFailure(exit) && Cause.isDie(exit.cause)).toBe(true)
    }))

  it.live("completes all started requests before it closes", () =>
    Effect.gen(function*() {
      const endedInputs: Array<number> = []
      const startSignal = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const scope = yield* Scope.make()
      const coalescer = yield* Scope.extend(
        KeyedBatcher.make({
          concurrency: 1,
          maxBatchSize: 1,
          run: (inputs: ReadonlyArray<number>) =>
            Effect.gen(function*() {
              yield* Deferred.succeed(startSignal, undefined)
              yield* Deferred.await(go)
              endedInputs.push(...inputs)
              return inputs.map((n) => Exit.succeed(n))
            })
        }),
        scope
      )
      const first = yield* Effect.fork(coalescer.submit(["a"], 1))
      yield* Deferred.await(startSignal)
      const second = yield* Effect.fork(coalescer.submit(["a"], 2))
      const closeFiber = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* settle
      expect(endedInputs).toEqual([])
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(closeFiber)
      expect(endedInputs[0]).toBe(1)
      expect(yield* Fiber.join(first)).toBe(1)
      // The request has a result, whether it ran or was rejected.
      const exit = yield* Fiber.await(second)
      expect(Exit.isSuccess(exit)).toBe(endedInputs.includes(2))
    }))

  it.live("still runs requests after it is closed", () =>
    Effect.gen(function*() {
      const run = (inputs: ReadonlyArray<number>) => Effect.succeed(inputs.map((n) => Exit.succeed(n * 10)))
      const coalescer = yield* Effect.scoped(
        KeyedBatcher.make({ concurrency: 1, maxBatchSize: 1, run, linger: nextTask })
      )
      expect(yield* coalescer.submit(["a"], 1)).toBe(10)
    }))
})
