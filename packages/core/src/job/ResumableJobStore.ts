import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"

/**
 * What is cancelled or erased: an offering that is deleted, a session that is
 * cancelled, a customer or a conversation without one that is forgotten.
 */
export const subjects = ["offering", "session", "customer", "conversation"] as const

export type Subject = (typeof subjects)[number]

export interface ResumableJobKey {
  readonly orgId: string
  readonly subject: Subject
  /** The id of the offering, the session, the customer or the conversation. */
  readonly id: string
}

/**
 * Work that was begun and is too large for one unit: its first has closed the door,
 * and parts of it follow.
 */
export interface ResumableJob extends ResumableJobKey {
  /** What was to come then is cancelled. */
  readonly begunAt: Instant
  /** When somebody last did a part of it. */
  readonly touchedAt: Instant
  /** How many bookings the parts have cancelled so far, and how many of them are refunded. */
  readonly cancelled: number
  readonly refunded: number
}

/**
 * Work that is not finished, for whoever takes it up: the request that began it,
 * the same request when it is sent again, or a worker.
 *
 * A row refers to its org and to no row of another table: it is there while its
 * subject has parts left.
 */
export class ResumableJobStore extends Context.Tag("@trailbook/core/ResumableJobStore")<
  ResumableJobStore,
  {
    readonly find: (key: ResumableJobKey) => Effect.Effect<Option.Option<ResumableJob>>
    /** Finds it, and keeps it from changing until the unit of work ends. */
    readonly lock: (key: ResumableJobKey) => Effect.Effect<Option.Option<ResumableJob>>
    /** Inserts it, or replaces the one with its key. */
    readonly put: (row: ResumableJob) => Effect.Effect<void>
    readonly remove: (key: ResumableJobKey) => Effect.Effect<void>
    /** Those of all orgs that were touched at or before a moment, the longest untouched first. */
    readonly untouchedSince: (moment: Instant, limit: number) => Effect.Effect<ReadonlyArray<ResumableJob>>
  }
>() {}
