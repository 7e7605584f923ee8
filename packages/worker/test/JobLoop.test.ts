import { it } from "@effect/vitest"
import { type Job, makePeriodicJob, type RunCounts } from "@trailbook/worker/Job"
import { startJobLoop } from "@trailbook/worker/JobLoop"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { assert, describe } from "vitest"
import { pass, settleFibers } from "./settled.ts"

/** A queue of work items with their results. */
interface Row {
  readonly waiting: Array<string>
  readonly begun: Array<string>
  readonly done: Array<string>
  readonly back: Array<string>
  looked: number
}

const row = (...items: ReadonlyArray<string>): Row => ({
  waiting: [...items],
  begun: [],
  done: [],
  back: [],
  looked: 0
})

const emptyCounts: RunCounts = {}

/** Creates a job that processes a queue. `work` processes one item. */
const jobOf = (
  row: Row,
  work: (claim: string, ending: Effect.Effect<boolean>) => Effect.Effect<void> = () => Effect.void,
  overrides: Partial<Pick<Job<string>, "concurrency" | "claim" | "release">> = {}
): Job<string> => ({
  name: "row",
  concurrency: 2,
  pause: "250 millis",
  claim: (room) =>
    Effect.sync(() => {
      row.looked++
      return row.waiting.splice(0, room)
    }),
  run: (claim, ending) => {
    row.begun.push(claim)
    return Effect.as(Effect.zipRight(work(claim, ending), Effect.sync(() => row.done.push(claim))), emptyCounts)
  },
  release: (claim) => Effect.sync(() => void row.back.push(claim)),
  ...overrides
})

const start = <Claim>(job: Job<Claim>) =>
  Effect.gen(function*() {
    const stop = yield* Deferred.make<void>()
    const under = yield* startJobLoop(job, stop)
    yield* settleFibers
    return { ...under, stop: Deferred.succeed(stop, undefined) }
  })

const silent = Effect.provide(Layer.mergeAll(Logger.remove(Logger.defaultLogger)))

/** Records log lines together with their job. */
const captureLog = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ annotations, message }) => {
    lines.push(`${[...annotations].map(([, value]) => String(value)).join()}: ${String(message)}`)
  })
  return { lines, layer: Effect.provide(Logger.replace(Logger.defaultLogger, logger)) }
}

describe("the job loop", () => {
  it.effect("claims without a pause while work is waiting", () =>
    Effect.gen(function*() {
      const todo = row("a", "b", "c", "d", "e")
      const { cutOff } = yield* start(jobOf(todo))
      assert.deepEqual(todo.done, ["a", "b", "c", "d", "e"])
      const before = todo.looked
      yield* pass("249 millis")
      assert.strictEqual(todo.looked, before)
      todo.waiting.push("f")
      yield* pass("1 millis")
      assert.include(todo.done, "f")
      yield* cutOff
    }))

  it.effect("runs claims concurrently up to the job's limit", () =>
    Effect.gen(function*() {
      const todo = row("a", "b", "c", "d", "e")
      const gates = new Map<string, Deferred.Deferred<void>>()
      for (const name of todo.waiting) gates.set(name, yield* Deferred.make<void>())
      const open = (name: string) => {
        const gate = gates.get(name)
        return gate === undefined ? Effect.void : Effect.zipRight(Deferred.succeed(gate, undefined), settleFibers)
      }
      const work = (name: string) => {
        const gate = gates.get(name)
        return gate === undefined ? Effect.void : Deferred.await(gate)
      }
      const { cutOff } = yield* start(jobOf(todo, work))
      assert.deepEqual(todo.begun, ["a", "b"])
      yield* open("b")
      assert.deepEqual(todo.begun, ["a", "b", "c"])
      yield* open("c")
      yield* open("d")
      assert.deepEqual(todo.begun, ["a", "b", "c", "d", "e"])
      yield* cutOff
    }))

  it.effect("runs other claims while one run hangs", () =>
    Effect.gen(function*() {
      const todo = row("hangs", ...Array.from({ length: 50 }, (_, at) => `${at}`))
      const { cutOff } = yield* start(jobOf(todo, (name) => name === "hangs" ? Effect.never : Effect.void))
      yield* settleFibers
      assert.lengthOf(todo.done, 50)
      yield* cutOff
    }))

  it.effect("claims again as soon as a run ends", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const todo = row("a")
      const blocked: Job<string>["claim"] = (_, underWay) =>
        Effect.sync(() => underWay.includes("a") ? [] : todo.waiting.splice(0, 1))
      const { cutOff } = yield* start(
        jobOf(todo, (name) => name === "a" ? Deferred.await(gate) : Effect.void, { claim: blocked })
      )
      todo.waiting.push("b")
      yield* pass("100 millis")
      assert.deepEqual(todo.begun, ["a"])
      yield* Deferred.succeed(gate, undefined)
      yield* settleFibers
      assert.deepEqual(todo.done, ["a", "b"])
      yield* cutOff
    }))

  it.effect("continues when a run dies, and lets its lease expire", () => {
    const log = captureLog()
    return Effect.gen(function*() {
      const todo = row("a", "dies", "c")
      const { cutOff } = yield* start(
        jobOf(todo, (name) => name === "dies" ? Effect.dieMessage("no such key") : Effect.void)
      )
      assert.deepEqual(todo.done, ["a", "c"])
      assert.deepEqual(todo.back, [])
      assert.deepEqual(log.lines, ["row: Run failed"])
      yield* cutOff
    }).pipe(log.layer)
  })

  it.effect("retries a failing claim once a second", () => {
    const log = captureLog()
    return Effect.gen(function*() {
      const todo = row("a")
      let away = true
      const claim = Effect.suspend(() =>
        away ? Effect.dieMessage("no database") : Effect.sync(() => todo.waiting.splice(0, 1))
      )
      const { cutOff } = yield* start(jobOf(todo, undefined, { claim: () => claim }))
      for (let second = 0; second < 3; second++) yield* pass("1 seconds")
      assert.deepEqual(log.lines, Array.from({ length: 4 }, () => "row: Claim failed"))
      away = false
      yield* pass("1 seconds")
      assert.deepEqual(todo.done, ["a"])
      yield* cutOff
    }).pipe(log.layer)
  })
})

describe("on shutdown, the job loop", () => {
  it.effect("completes its runs, and claims no more work", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const todo = row("a", "b", "c")
      const { cutOff, settled: loopEnd, stop } = yield* start(jobOf(todo, () => Deferred.await(gate)))
      yield* stop
      const end = yield* Effect.fork(loopEnd)
      yield* pass("1 minutes")
      assert.isNull(end.unsafePoll())
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(end)
      yield* cutOff
      assert.deepEqual(todo.done, ["a", "b"])
      assert.deepEqual(todo.waiting, ["c"])
      assert.deepEqual(todo.back, [])
    }))

  it.effect("ends immediately if no run is in progress", () =>
    Effect.gen(function*() {
      const { settled: loopEnd, stop } = yield* start(jobOf(row()))
      yield* stop
      yield* loopEnd
    }))

  it.effect("notifies the runs in progress", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const isEnding: Array<boolean> = []
      const todo = row("a")
      const work = (_: string, ending: Effect.Effect<boolean>) =>
        Effect.gen(function*() {
          isEnding.push(yield* ending)
          yield* Deferred.await(gate)
          isEnding.push(yield* ending)
        })
      const { settled: loopEnd, stop } = yield* start(jobOf(todo, work))
      yield* stop
      yield* Deferred.succeed(gate, undefined)
      yield* loopEnd
      assert.deepEqual(isEnding, [false, true])
    }))

  it.effect("releases only the claims of aborted runs", () =>
    Effect.gen(function*() {
      const todo = row("ends", "hangs")
      const { cutOff, stop } = yield* start(jobOf(todo, (name) => name === "hangs" ? Effect.never : Effect.void))
      yield* stop
      yield* cutOff
      assert.deepEqual(todo.done, ["ends"])
      assert.deepEqual(todo.back, ["hangs"])
    }))

  it.effect("releases a claim that arrives late, without running it", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const todo = row()
      const slow = Effect.as(Deferred.await(gate), ["late"])
      const { settled: loopEnd, stop } = yield* start(jobOf(todo, undefined, { claim: () => slow }))
      yield* stop
      yield* Deferred.succeed(gate, undefined)
      yield* loopEnd
      assert.deepEqual(todo.begun, [])
      assert.deepEqual(todo.back, ["late"])
    }))

  it.effect("ends even if a claim cannot be released", () =>
    Effect.gen(function*() {
      const todo = row("hangs")
      const release = () => Effect.dieMessage("no database")
      const { cutOff, stop } = yield* start(jobOf(todo, () => Effect.never, { release }))
      yield* stop
      yield* cutOff
    }).pipe(silent))
})

describe("a periodic job", () => {
  it.effect("runs without a pause while it makes progress", () =>
    Effect.gen(function*() {
      const counts = [100, 100, 3]
      let lookCount = 0
      const work = Effect.sync(() => {
        lookCount++
        return counts.shift() ?? 0
      })
      const { cutOff } = yield* (yield* makePeriodicJob({ name: "holds", pause: "1 minute", work, kind: "cancelled" }))(
        start
      )
      assert.strictEqual(lookCount, 4)
      yield* pass("59 seconds")
      assert.strictEqual(lookCount, 4)
      yield* pass("1 seconds")
      assert.strictEqual(lookCount, 5)
      yield* pass("1 minutes")
      assert.strictEqual(lookCount, 6)
      yield* cutOff
    }))

  it.effect("pauses after a failure, and then runs again", () =>
    Effect.gen(function*() {
      let lookCount = 0
      const work = Effect.suspend(() => {
        lookCount++
        return Effect.dieMessage("no database")
      })
      const { cutOff } = yield* (yield* makePeriodicJob({ name: "holds", pause: "1 minute", work, kind: "cancelled" }))(
        start
      )
      assert.strictEqual(lookCount, 1)
      yield* pass("1 minutes")
      assert.strictEqual(lookCount, 2)
      yield* cutOff
    }).pipe(silent))
})
