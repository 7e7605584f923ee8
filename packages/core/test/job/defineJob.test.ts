/**
 * Tests that jobs leave half of the storage's time to other work, no matter how many jobs run, and survive an
 * interruption.
 */
import { assert, describe, it } from "@effect/vitest"
import { defineJob } from "@trailbook/core/job/defineJob"
import { TransactionContext, UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"

/** Only the storage's identity matters. */
const storage = () => ({}) as UnitOfWork["Type"]

interface Job {
  readonly orgId: string
  readonly id: string
  /** The number of chunks that have run. */
  readonly ran: number
}

const job: Job = { orgId: "o", id: "j", ran: 0 }

const chunkMs = 10
const chunks = 5

/** A job whose steps run `chunk`. The job is unfinished until the last chunk has run. */
const counting = (over: UnitOfWork["Type"], chunk: Effect.Effect<void> = Effect.void, patienceMs = Infinity) => {
  let storedJob = job
  return Effect.provideService(
    defineJob({
      find: () => Effect.sync(() => storedJob.ran < chunks ? storedJob : undefined),
      from: ({ ran }: Job) => Effect.succeed(ran + 1),
      step: (_, at) =>
        Effect.map(chunk, () => {
          storedJob = { ...job, ran: at }
          return { job: storedJob, next: at < chunks ? at + 1 : undefined }
        }),
      patienceMs
    }),
    UnitOfWork,
    over
  )
}

/** Advances the clock until the work has finished. Returns its result and the elapsed time in milliseconds. */
const measure = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.fork(work)
    let tookMs = 0
    while ((yield* Fiber.poll(fiber))._tag === "None") {
      yield* TestClock.adjust(chunkMs)
      tookMs += chunkMs
    }
    return { result: yield* Fiber.join(fiber), tookMs }
  })

/**
 * Runs several jobs concurrently. Returns the maximum number of concurrent chunks, their order, and the total time in
 * milliseconds.
 */
const runJobs = (over: ReadonlyArray<UnitOfWork["Type"]>) =>
  Effect.gen(function*() {
    let runningCount = 0
    let most = 0
    const order: Array<number> = []
    const jobs = yield* Effect.forEach(over, (one, at) =>
      counting(
        one,
        Effect.gen(function*() {
          order.push(at)
          most = Math.max(most, ++runningCount)
          yield* Effect.sleep(chunkMs)
          runningCount--
        })
      ))
    const { result, tookMs } = yield* measure(
      Effect.forEach(jobs, ({ start }) => start(Effect.succeed({ job })), { concurrency: "unbounded" })
    )
    assert.deepStrictEqual(result, over.map(() => ({ isDone: true, job: { ...job, ran: chunks } })))
    return { most, order, tookMs }
  })

describe("defineJob", () => {
  it.effect("pauses after each chunk for as long as the chunk took", () =>
    Effect.gen(function*() {
      const one = storage()
      const { most, tookMs } = yield* runJobs([one, one, one])
      assert.strictEqual(most, 1)
      // A pause follows every chunk except the last one in each job.
      assert.strictEqual(tookMs, 3 * (chunks + chunks - 1) * chunkMs)
    }))

  it.effect("alternates between the chunks of jobs on the same storage", () =>
    Effect.gen(function*() {
      const one = storage()
      const { order } = yield* runJobs([one, one])
      assert.deepStrictEqual(order, Array.from({ length: chunks }, () => [0, 1]).flat())
    }))

  it.effect("runs jobs on different storages concurrently", () =>
    Effect.gen(function*() {
      const { most, tookMs } = yield* runJobs([storage(), storage(), storage()])
      assert.strictEqual(most, 3)
      assert.strictEqual(tookMs, (chunks + chunks - 1) * chunkMs)
    }))

  it.effect("lets the next job run after a job fails", () =>
    Effect.gen(function*() {
      const one = storage()
      const failingJob = yield* counting(one, Effect.dieMessage("gone"))
      assert.isTrue((yield* Effect.exit(failingJob.start(Effect.succeed({ job }))))._tag === "Failure")
      assert.isTrue((yield* (yield* counting(one)).start(Effect.succeed({ job }))).isDone)
    }))

  it.effect("returns its progress when the time is up, and resumes later", () =>
    Effect.gen(function*() {
      const { finish, start } = yield* counting(storage(), Effect.sleep(chunkMs), 3 * chunkMs)
      const { result } = yield* measure(start(Effect.succeed({ job, answer: "closed" })))
      assert.deepStrictEqual(result, { isDone: false, job: { ...job, ran: 2 }, answer: "closed" })
      // Three chunks are left, and a pause follows two of them.
      assert.strictEqual((yield* measure(finish(job))).tookMs, 3 * chunkMs + chunkMs)
      assert.strictEqual((yield* measure(finish(job))).tookMs, chunkMs)
    }))

  it.effect("runs no chunk if the transaction's owner takes over the job", () =>
    Effect.gen(function*() {
      const startedJobs: Array<string> = []
      const { start } = yield* counting(storage(), Effect.dieMessage("a chunk ran"))
      const result = yield* Effect.provideService(start(Effect.succeed({ job })), TransactionContext, {
        owner: "engine",
        onJobStarted: (id) => void startedJobs.push(id)
      })
      assert.deepStrictEqual(result, { isDone: false, job })
      assert.deepStrictEqual(startedJobs, [job.id])
    }))
})
