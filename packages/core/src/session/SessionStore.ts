import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Session, SessionStatus } from "./Session.ts"

/** A session with the seats that live bookings keep in it. */
export interface BookedSession {
  readonly session: Session
  readonly booked: number
}

/** Asks for the seats kept in a session. */
export interface SeatsQuery extends OrgKey {
  /** Holds that have ended by then keep no seats. */
  readonly now: Instant
  /** A booking that does not count: the one that moves or is confirmed late. */
  readonly except?: string
}

export interface Seats {
  readonly booked: number
  /** The latest end of a hold that was passed over, because it has ended by `now`; null when there was none. */
  readonly lapsedAt: Instant | null
}

/**
 * Seats count where a booking is confirmed, or held until after `now`.
 *
 * A session refers to an offering of its own org. One that refers to none is not
 * stored: that is a defect.
 */
export class SessionStore extends Context.Tag("@trailbook/core/SessionStore")<
  SessionStore,
  {
    /**
     * Sessions with `from <= startsAt < to`, by start and id, after a position. A hold
     * of a session that ended by its `decidedUpTo` keeps no seats either.
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
    /** Each once, however often its key is given, in any order. Keys that name none are left out. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Session>>
    /**
     * Finds sessions, each once, however often its key is given, in any order, and
     * keeps them from changing until the unit of work ends; locked in the order of
     * ids. Keys that name none are left out.
     */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Session>>
    /** The scheduled sessions of an offering that start after `now`, locked, by id. */
    readonly lockComing: (offering: OrgKey, now: Instant) => Effect.Effect<ReadonlyArray<Session>>
    /**
     * The seats kept in each session: an answer for each query, in their order, equal
     * ones too, and none booked for a key that names none.
     */
    readonly booked: (queries: ReadonlyArray<SeatsQuery>) => Effect.Effect<ReadonlyArray<Seats>>
    /** Inserts each session, or replaces the one with its key; no key is given twice. */
    readonly put: (sessions: ReadonlyArray<Session>) => Effect.Effect<void>
  }
>() {}
