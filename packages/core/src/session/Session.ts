import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Decider, hasChanges } from "../Decider.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import * as Event from "../port/Event.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { exampleIds, Id, Integer, Timestamp } from "../wire/View.ts"

/** A class departure. */
export interface Session {
  readonly id: string
  readonly orgId: string
  readonly offeringId: string
  readonly startsAt: Instant
  readonly endsAt: Instant
  /** The number of seats in this session. Null means the class's capacity. */
  readonly capacity: number | null
  readonly status: SessionStatus
  /** Notes for the staff, such as guides, boats, and vans. */
  readonly notes: string
  readonly createdAt: Instant
  /**
   * Holds that expire at or before this time count as expired, regardless of the clock (`PlaceClock`). This field is
   * not part of the API.
   */
  readonly judgedAt: Instant
}

export const sessionStatuses = ["scheduled", "cancelled"] as const

export type SessionStatus = (typeof sessionStatuses)[number]

/** A session and the number of seats in its live bookings. */
export interface BookedSession {
  readonly session: Session
  readonly booked: number
}

/** Selects the booked seats in a session. */
export interface BookedSeatsQuery extends OrgKey {
  /** Holds that expire at or before this time are ignored. */
  readonly now: Instant
  /** A booking to exclude from the count, because it is being moved or confirmed late. */
  readonly except?: string
}

export interface BookedSeats {
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
    readonly lockUpcoming: (offering: OrgKey, now: Instant) => Effect.Effect<ReadonlyArray<Session>>
    /**
     * Returns the booked seats in each session: one result per query, in query order. Queries can repeat. An unknown
     * key has no booked seats.
     */
    readonly countBookedSeats: (queries: ReadonlyArray<BookedSeatsQuery>) => Effect.Effect<ReadonlyArray<BookedSeats>>
    /** Inserts or replaces sessions by key. The keys must be distinct. */
    readonly put: (sessions: ReadonlyArray<Session>) => Effect.Effect<void>
  }
>() {}

/** The API representation of a session. */
export const SessionView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.session),
  org_id: withDescription("the outfitter", Id, exampleIds.org),
  offering_id: withDescription("the class", Id, exampleIds.offering),
  starts_at: withDescription("its start", Timestamp),
  ends_at: withDescription("its end", Timestamp, "2027-05-01T19:00:00.000Z"),
  capacity: withDescription(
    "the number of seats, or null to use the class capacity",
    Schema.NullOr(Integer)
  ),
  status: withDescription("its status", Schema.Literal(...sessionStatuses)),
  notes: withDescription("notes for staff, such as guides and boats", Schema.String, "Guide: Ray. Boats 3 and 4."),
  created_at: withDescription("when it was created", Timestamp, "2027-04-02T16:20:00.000Z")
}).annotations({ identifier: "Session" })
export type SessionView = typeof SessionView.Type

/** An item in `sessions_list`: a session with its booked seats. */
export const BookedSessionView = Schema.Struct({
  ...SessionView.fields,
  booked: withDescription("the number of booked seats", Integer, 4)
}).annotations({ identifier: "BookedSession" })

export const sessionView: (value: Session) => SessionView = makeViewMapper(SessionView)

export const sessionEvents = [
  Event.make("session.created", {
    data: SessionView,
    when: "A class session is scheduled. A weekly series emits one event per session."
  }),
  Event.make("session.updated", {
    data: SessionView,
    when: "A session's capacity, start, or notes change."
  }),
  Event.make("session.cancelled", {
    data: SessionView,
    when: "A session is canceled. One `booking.cancelled` follows for each of its bookings."
  })
] as const

export type SessionPatch = Partial<Pick<Session, "capacity" | "startsAt" | "endsAt" | "notes">>

export type SessionCommand =
  | { readonly _tag: "Schedule" }
  | { readonly _tag: "Update"; readonly patch: SessionPatch; readonly booked: number }
  | { readonly _tag: "Cancel" }

export type SessionEvent =
  | { readonly _tag: "session.created" }
  | { readonly _tag: "session.updated"; readonly patch: SessionPatch }
  | { readonly _tag: "session.cancelled" }

type Decisions = Decider<Session, SessionCommand, SessionEvent, {
  Schedule: never
  Update: Refusal<"session_cancelled" | "has_bookings">
  Cancel: never
}>

const decide: Decisions["decide"] = {
  Schedule: () => Either.right([{ _tag: "session.created" }]),
  Update: (session, { booked, patch }) => {
    if (session.status === "cancelled") return Either.left(refuse("session_cancelled"))
    const isMoved = patch.startsAt !== undefined && patch.startsAt !== session.startsAt
    if (isMoved && booked > 0) return Either.left(refuse("has_bookings", 0, 0, booked))
    return Either.right(hasChanges(session, patch) ? [{ _tag: "session.updated", patch }] : [])
  },
  Cancel: (session) => Either.right(session.status === "cancelled" ? [] : [{ _tag: "session.cancelled" }])
}

const evolve = (session: Session, event: SessionEvent): Session => {
  switch (event._tag) {
    case "session.created":
      return session
    case "session.updated":
      return { ...session, ...event.patch }
    case "session.cancelled":
      return { ...session, status: "cancelled" }
  }
}

/**
 * The state machine for a session. A repeated cancellation or update changes nothing. A canceled session cannot be
 * updated. The start can change only while the session has no booked seats, because booked guests already know the
 * start.
 */
export const sessionDecider: Decisions = { decide, evolve }
