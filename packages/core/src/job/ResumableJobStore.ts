import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
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
