import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { BookedSpan } from "../capacity/claims.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Booking, Status } from "./Booking.ts"
import type { BookingRecord } from "./BookingView.ts"

/** Asks for the live bookings of an offering that may overlap an interval. */
export interface OverlapQuery {
  readonly orgId: string
  readonly offeringId: string
  /** Bookings with `startsAfter <= startsAt < startsBefore` … */
  readonly startsAfter: Instant
  readonly startsBefore: Instant
  /** … and `endsAt > endsAfter`. */
  readonly endsAfter: Instant
  /** Holds that have ended by then, or by the offering's `decidedUpTo`, are passed over. */
  readonly now: Instant
  /** A booking that does not count: the one that moves or is confirmed late. */
  readonly except?: string
}

export interface Overlaps {
  /** The live bookings that overlap the interval, those over equal spans added up. */
  readonly taken: ReadonlyArray<BookedSpan>
  /** The latest end of a hold that would overlap it and was passed over because it has ended; null when there is none. */
  readonly lapsedAt: Instant | null
}

/** Asks for the live unproven bookings of a network that were made after a moment, or of a place. */
export type UnprovenQuery =
  & { readonly orgId: string; readonly now: Instant }
  & (
    | { readonly network: string; readonly madeAfter: Instant }
    | { readonly sessionId: string }
    | { readonly offeringId: string; readonly startsBefore: Instant; readonly endsAfter: Instant }
  )

/**
 * Asks for a page of the bookings that the end of an offering would cancel: of its
 * holds, or of its confirmed bookings that start after `now`.
 */
export interface UpcomingQuery {
  readonly status: "held" | "confirmed"
  readonly now: Instant
  /** By start and id. */
  readonly after: Position | undefined
  readonly limit: number
}

/**
 * How many bookings a page has, how many of them are holds that ran out and how many
 * are paid online; and behind which position there may be more.
 */
export interface UpcomingPage {
  readonly count: number
  readonly expired: number
  readonly paid: number
  readonly next: Position | undefined
}

/** What leaves together without a session: the live bookings of one start. */
export interface DepartureTotals {
  readonly offeringId: string
  readonly startsAt: Instant
  /** The latest end among them. */
  readonly endsAt: Instant
  /** The least of their ids. */
  readonly firstId: string
  readonly bookings: number
  readonly quantity: number
  /** How much of it holds keep, which may run out. */
  readonly heldBookings: number
  readonly heldQuantity: number
}

/** Starts with `from <= startsAt < to`. */
export interface DepartureQuery {
  readonly orgId: string
  readonly from: Instant
  readonly to: Instant
  /** Holds that have ended by then are passed over. */
  readonly now: Instant
}

/** Asks for who comes: to a session, or to a start of an offering that has none. */
export interface FirstGuestsQuery {
  readonly orgId: string
  readonly offeringId: string
  readonly sessionId: string | null
  /** Of what has no session. */
  readonly startsAt: Instant
}

/** A confirmed booking, as it is named beside others. */
export interface FirstGuest {
  /** May be empty. */
  readonly name: string
  readonly email: string
  readonly quantity: number
}

/**
 * A booking lives while it is confirmed, or held until after `now`.
 *
 * It refers to an offering, a customer and, where it has one, a session of its own
 * org. No two bookings of an org have one reference or one idempotency key,
 * cancelled ones included, and no two bookings of the service one handle. What
 * breaks this is not stored: that is a defect.
 */
export class BookingStore extends Context.Tag("@trailbook/core/BookingStore")<
  BookingStore,
  {
    /** Each once, however often its key is given, in any order. Keys that name none are left out. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** Those that were made with these keys, in any order: each once, however often its key is given. */
    readonly findByIdempotencyKey: (
      keys: ReadonlyArray<{ readonly orgId: string; readonly key: string }>
    ) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** The one whose guest has this page, of whatever org. */
    readonly findByHandle: (handle: string) => Effect.Effect<Option.Option<BookingRecord>>
    /**
     * Bookings with `from <= startsAt < to`, by start and id in the order asked for, after
     * a position. With `q` those alone that it finds (`customer/Search.ts`) by their reference and
     * the words of their guest.
     */
    readonly list: (query: {
      readonly orgId: string
      readonly from?: Instant | undefined
      readonly to?: Instant | undefined
      readonly status?: Status | undefined
      readonly offeringId?: string | undefined
      readonly customerId?: string | undefined
      readonly sessionId?: string | undefined
      readonly q?: string | undefined
      /** Only the booking with this reference. */
      readonly reference?: string | undefined
      readonly order: "asc" | "desc"
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /**
     * Finds bookings, each once, however often its key is given, in any order, and
     * keeps them from changing until the unit of work ends; locked in the order of
     * ids. Keys that name none are left out.
     */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** The held and confirmed bookings of a session, locked, by id. */
    readonly lockInSession: (session: OrgKey) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** The held bookings of an offering, and the confirmed ones that start after `now`, locked, by id. */
    readonly lockUpcoming: (offering: OrgKey, now: Instant) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** Counts a page of what `lockUpcoming` would lock; a hold has run out by `now`, or by what was judged at its place. */
    readonly countUpcoming: (offering: OrgKey, query: UpcomingQuery) => Effect.Effect<UpcomingPage>
    /** Bookings of a customer with an id greater than `after`, at most `limit`, locked, by id. */
    readonly lockOfCustomer: (
      customer: OrgKey,
      after: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /**
     * For each of these customers who has one, in any order, the booking to speak of: of the
     * live ones that end after `now` the first to start, else the one that starts latest.
     */
    readonly nextOf: (customers: ReadonlyArray<OrgKey>, now: Instant) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** What touches each query, in their order and equal ones too. */
    readonly overlapping: (queries: ReadonlyArray<OverlapQuery>) => Effect.Effect<ReadonlyArray<Overlaps>>
    /**
     * The bookings of all these queries, each once, in any order. A network is locked until the unit of work ends, so two
     * units never count it at the same time; locked after customers, in the order of networks.
     */
    readonly unproven: (queries: ReadonlyArray<UnprovenQuery>) => Effect.Effect<ReadonlyArray<Booking>>
    /** Takes the network from up to `limit` bookings made at or before a moment, and returns how many there were. */
    readonly forgetNetworks: (madeBefore: Instant, limit: number) => Effect.Effect<number>
    /** Inserts each booking, or replaces the one with its key; no key is given twice. */
    readonly put: (bookings: ReadonlyArray<Booking>) => Effect.Effect<void>
    /** Keys of holds of all orgs that expired at or before a moment, the oldest first. */
    readonly holdsExpiredBy: (moment: Instant, limit: number) => Effect.Effect<ReadonlyArray<OrgKey>>
    /** Of what is no class, added up by start and offering in that order: the first `limit`. */
    readonly departing: (
      query: DepartureQuery & { readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<DepartureTotals>>
    /** How many seats holds keep in each session that has some, in any order. */
    readonly heldSeats: (
      query: DepartureQuery
    ) => Effect.Effect<ReadonlyArray<{ readonly sessionId: string; readonly quantity: number }>>
    /** Who comes to each of these, the first confirmed bookings by start and id, in the order of the queries and equal ones too. */
    readonly coming: (
      queries: ReadonlyArray<FirstGuestsQuery>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<FirstGuest>>>
    /** How many confirmed bookings were made in each `[from, to)`, in the order of the spans and equal ones too. */
    readonly countConfirmed: (
      orgId: string,
      spans: ReadonlyArray<{ readonly from: Instant; readonly to: Instant }>
    ) => Effect.Effect<ReadonlyArray<number>>
  }
>() {}
