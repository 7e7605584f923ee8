import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Session, SessionStatus } from "./Session.ts"

/** A session with the number of seats in its live bookings. */
export interface BookedSession {
  readonly session: Session
  readonly booked: number
}

/** Selects the booked seats in a session. */
export interface SeatsQuery extends OrgKey {
  /** Holds that expire at or before this time are ignored. */
  readonly now: Instant
  /** A booking to exclude from the count, because it is being moved or confirmed late. */
  readonly except?: string
}

export interface Seats {
  readonly booked: number
  /**
   * The latest expiry among the holds that were ignored because they had expired by `now`. Null if no hold was ignored.
   */
  readonly lapsedAt: Instant | null
}

/**
 * Stores sessions. A booking's seats count if the booking is confirmed, or if it is held with an expiry after
 * `now`.
 *
 * A session references an offering in the same org. A write that violates this rule fails as a defect and stores
 * nothing.
 */
export class SessionStore extends Context.Tag("@trailbook/core/SessionStore")<
  SessionStore,
  {
    /**
     * Lists the sessions with `from <= startsAt < to` after a position, ordered by start and ID. Holds that expire at
     * or before the session's `judgedAt` are also ignored.
     */
    readonly list: (query: {
      readonly orgId: string
      readonly offeringId?: string | undefined
      readonly from?: Instant | undefined
      readonly to?: Instant | undefined
      readonly status?: SessionStatus | undefined
      readonly after?: Position | undefined
      readonly limit: number
      readonly now: Instant
    }) => Effect.Effect<ReadonlyArray<BookedSession>>
    /** Returns each session once, in any order, even if its key is repeated. Unknown keys are skipped. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Session>>
    /**
     * Finds sessions and locks them in ID order until the transaction ends. Returns each session once, in any order.
     * Unknown keys are skipped.
     */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Session>>
    /** Locks the scheduled sessions for an offering that start after `now`. The result is sorted by ID. */
    readonly lockComing: (offering: OrgKey, now: Instant) => Effect.Effect<ReadonlyArray<Session>>
    /**
     * Returns the booked seats in each session: one result per query, in query order. Queries can repeat. An unknown
     * key has no booked seats.
     */
    readonly booked: (queries: ReadonlyArray<SeatsQuery>) => Effect.Effect<ReadonlyArray<Seats>>
    /** Inserts or replaces sessions by key. The keys must be distinct. */
    readonly put: (sessions: ReadonlyArray<Session>) => Effect.Effect<void>
  }
>() {}
