/**
 * Defines resumable jobs: cancellations, erasures, and broadcasts that can be too large for one transaction. Each chunk
 * is a separate transaction and records its progress. The same loop continues the job in the request that started it,
 * in a retry of that request, in the ops agent, and in a worker.
 *
 * Only one chunk per storage runs at a time. Other requests therefore wait for at most one chunk, no matter how many
 * jobs are in progress.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { yieldToEventLoop } from "../concurrency/scheduler.ts"
import { TransactionContext, UnitOfWork } from "../port/UnitOfWork.ts"
import { currentTime, monotonicMillis } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * The kinds of jobs: deleting an offering, canceling a session, and erasing a customer or a conversation without a
 * customer.
 */
export const jobSubjects = ["offering", "session", "customer", "conversation"] as const

export type JobSubject = (typeof jobSubjects)[number]

export interface ResumableJobKey {
  readonly orgId: string
  readonly subject: JobSubject
  /** The ID of the offering, session, customer, or conversation. */
  readonly id: string
}

/**
 * A started job that is too large for one transaction. The first transaction closed the subject, and the rest runs in
 * chunks.
 */
export interface ResumableJob extends ResumableJobKey {
  /**
   * When the job started. Deleting an offering cancels its sessions and bookings that start after this time.
   */
  readonly begunAt: Instant
  /** When a chunk last ran. */
  readonly touchedAt: Instant
  /** The number of bookings canceled so far, and how many of them are refunded. */
  readonly cancelled: number
  readonly refunded: number
}

/**
 * Stores unfinished jobs. A job is continued by the request that started it, by a retry, or by a worker.
 *
 * A row references only its org. The row exists until the last chunk is done.
 */
export class ResumableJobStore extends Context.Tag("@trailbook/core/ResumableJobStore")<
  ResumableJobStore,
  {
    readonly find: (key: ResumableJobKey) => Effect.Effect<Option.Option<ResumableJob>>
    /** Finds a job and locks it until the transaction ends. */
    readonly lock: (key: ResumableJobKey) => Effect.Effect<Option.Option<ResumableJob>>
    /** Inserts or replaces a job by key. */
    readonly put: (row: ResumableJob) => Effect.Effect<void>
    readonly remove: (key: ResumableJobKey) => Effect.Effect<void>
    /** Returns jobs across all orgs whose last chunk ran at or before this time, oldest first. */
    readonly untouchedSince: (moment: Instant, limit: number) => Effect.Effect<ReadonlyArray<ResumableJob>>
  }
>() {}

/**
 * The maximum number of rows that a chunk changes, or of guests that it messages. Work up to this size runs in one
 * transaction. A row can contain 20 KB of an outfitter's notes, so 20 rows block SQLite for about 20 ms.
 */
export class ChunkSize extends Context.Reference<ChunkSize>()("@trailbook/core/ChunkSize", {
  defaultValue: () => 20
}) {}

type Key = Pick<ResumableJobKey, "orgId" | "id">

/** Continues a started job. Concurrent runs are safe, because each chunk locks the job's row. */
export interface JobRunner<Job> {
  /** Runs chunks until the job is finished. Stops between two chunks once `shouldStop` is true. */
  readonly resume: (job: Job, shouldStop: Effect.Effect<boolean>) => Effect.Effect<unknown>
  /** If the job with this ID is unfinished, runs its chunks up to the time limit for a request. */
  readonly finish: (key: Key) => Effect.Effect<unknown>
}

interface Definition<Job, Cursor> {
  /** Finds the job, if it is unfinished. */
  readonly find: (key: Key) => Effect.Effect<Job | undefined>
  /** Returns the cursor for the first chunk. A resumed job also starts there. */
  readonly from: (job: Job) => Effect.Effect<Cursor>
  /**
   * Runs a chunk in one transaction. Returns the changed job and the cursor for the next chunk. If there is no cursor,
   * the job is finished. If there is no job, another process has already finished it.
   */
  readonly step: (
    job: Job,
    at: Cursor
  ) => Effect.Effect<{ readonly job?: Job | undefined; readonly next?: Cursor | undefined }>
  /** How long a request runs chunks. By default, it runs them until the job is finished. */
  readonly patienceMs?: number | undefined
  /**
   * Runs after each chunk except the last. By default, the job sleeps as long as the chunk took so that other requests
   * get half of the time.
   */
  readonly pause?: (chunkMs: number) => Effect.Effect<void>
}

/**
 * The locks, keyed by storage. The services for requests and for workers are separate, but they can share storage.
 */
const locks = new WeakMap<UnitOfWork["Type"], Effect.Semaphore>()

/** Defines a job whose progress the caller stores. `defineStoredJob` stores the progress in the shared table. */
export const defineJob = <Job extends Key, Cursor>(
  { find, from, patienceMs = Infinity, pause = Effect.sleep, step }: Definition<Job, Cursor>
) =>
  Effect.map(UnitOfWork, (storage) => {
    const lock = locks.get(storage) ?? Effect.unsafeMakeSemaphore(1)
    locks.set(storage, lock)

    const runChunk = (job: Job, cursor: Cursor) =>
      Effect.gen(function*() {
        const startedAt = yield* monotonicMillis
        const result = yield* step(job, cursor)
        if (result.next !== undefined) yield* pause((yield* monotonicMillis) - startedAt)
        return result
      })

    const resume = (job: Job, shouldStop: Effect.Effect<boolean>) =>
      Effect.gen(function*() {
        // In the host's transaction, do not wait for a running chunk, because that chunk may be waiting for the host's
        // transaction.
        const isInHost = (yield* TransactionContext)?.owner === "host"
        let lastJob = job
        let cursor = yield* from(job)
        for (;;) {
          const result = yield* isInHost ? runChunk(job, cursor) : lock.withPermits(1)(runChunk(job, cursor))
          lastJob = result.job ?? lastJob
          if (result.next === undefined) return { isDone: true, job: lastJob }
          cursor = result.next
          if (yield* shouldStop) return { isDone: false, job: lastJob }
          // Yield to the chunks of other jobs that are waiting for the lock, and to requests that have arrived.
          yield* yieldToEventLoop
        }
      })

    const runForRequest = (job: Job) =>
      Effect.flatMap(monotonicMillis, (start) =>
        resume(job, Effect.map(monotonicMillis, (now) => now - start >= patienceMs)))

    /**
     * Runs the transaction that starts the job, and then the job's chunks for `patienceMs`. Returns the transaction's
     * result with the job's last state. If the owner of the enclosing transaction finishes the jobs started in it, no
     * chunks run here.
     */
    const start = <Started extends { readonly job?: Job | undefined }, E>(transaction: Effect.Effect<Started, E>) =>
      Effect.gen(function*() {
        const result = yield* transaction
        const { job } = result
        if (job === undefined) {
          return { ...result, job, isDone: true }
        }
        const onJobStarted = (yield* TransactionContext)?.onJobStarted
        onJobStarted?.(job.id)
        const lastState = onJobStarted === undefined ? yield* runForRequest(job) : { isDone: false, job }
        return { ...result, ...lastState }
      })

    const finish = (key: Key) =>
      Effect.flatMap(find(key), (job) => job === undefined ? Effect.void : runForRequest(job))

    return { find, start, resume, finish }
  })

/** The changes in a chunk. */
export interface JobChunkResult<Cursor> {
  /** The cursor for the next chunk. Undefined after the last chunk. */
  readonly next?: Cursor | undefined
  readonly cancelled?: number
  readonly refunded?: number
  /** Writes events at the end of the transaction. Skipped if another process has finished the job. */
  readonly publish?: Effect.Effect<void>
}

/** Defines a job that records its progress in `ResumableJobStore`. Any worker can resume it. */
export const defineStoredJob = <Cursor>({ from, patienceMs, step, subject }: {
  readonly subject: JobSubject
  readonly from: Cursor
  /** Changes up to `size` rows in the chunk's transaction. */
  readonly step: (job: ResumableJob, at: Cursor, size: number) => Effect.Effect<JobChunkResult<Cursor>>
  readonly patienceMs?: number | undefined
}) =>
  Effect.gen(function*() {
    const store = yield* ResumableJobStore
    const { run } = yield* UnitOfWork
    const job = yield* defineJob<ResumableJob, Cursor>({
      find: ({ id, orgId }) => Effect.map(store.find({ orgId, subject, id }), Option.getOrUndefined),
      from: () => Effect.succeed(from),
      patienceMs,
      step: (job, cursor) =>
        run(Effect.gen(function*() {
          const { cancelled = 0, next, publish = Effect.void, refunded = 0 } = yield* step(
            job,
            cursor,
            yield* ChunkSize
          )
          const current = Option.getOrUndefined(yield* store.lock(job))
          if (current === undefined) return {}
          const touchedAt = yield* currentTime
          const updated = {
            ...current,
            touchedAt,
            cancelled: current.cancelled + cancelled,
            refunded: current.refunded + refunded
          }
          yield* next === undefined ? store.remove(job) : store.put(updated)
          yield* publish
          return { job: updated, next }
        }))
    })
    return {
      ...job,
      /** Stores the job in the transaction that starts it. */
      begin: ({ id, orgId }: Key, now: Instant) =>
        Effect.tap(
          Effect.succeed({ orgId, subject, id, begunAt: now, touchedAt: now, cancelled: 0, refunded: 0 }),
          store.put
        )
    }
  })
