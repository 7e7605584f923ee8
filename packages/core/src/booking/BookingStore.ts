import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { BookedSpan } from "../capacity/claims.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Booking, BookingStatus } from "./Booking.ts"
import type { BookingRecord } from "./BookingView.ts"

/** Selects an offering's live bookings that can overlap an interval. */
export interface OverlapQuery {
  readonly orgId: string
  readonly offeringId: string
  /** Selects bookings with `startsAfter <= startsAt < startsBefore` and `endsAt > endsAfter`. */
  readonly startsAfter: Instant
  readonly startsBefore: Instant
  readonly endsAfter: Instant
  /** Holds are ignored if they expire at or before this time, or at or before the offering's `judgedAt`. */
  readonly now: Instant
  /** A booking to exclude from the result, because it is being moved or confirmed late. */
  readonly except?: string
}

export interface Overlaps {
  /** The live bookings that overlap the interval. Bookings with the same span are summed. */
  readonly bookedSpans: ReadonlyArray<BookedSpan>
  /**
   * The latest expiry among the overlapping holds that were ignored because they had expired. Null if no hold was
   * ignored.
   */
  readonly lapsedAt: Instant | null
}

/**
 * Selects live unproven bookings: either a network's bookings that were created after `madeAfter`, or a place's
 * bookings.
 */
export type UnprovenBookingsQuery =
  & { readonly orgId: string; readonly now: Instant }
  & (
    | { readonly network: string; readonly madeAfter: Instant }
    | { readonly sessionId: string }
    | { readonly offeringId: string; readonly startsBefore: Instant; readonly endsAfter: Instant }
  )

/**
 * Selects a page of the bookings that deleting an offering would cancel: the offering's holds, or its confirmed
 * bookings that start after `now`.
 */
export interface UpcomingBookingsQuery {
  readonly status: "held" | "confirmed"
  readonly now: Instant
  /** The position (start and ID) after which the page starts. */
  readonly after: Position | undefined
  readonly limit: number
}

/**
 * A page's number of bookings, expired holds, and bookings that were paid online, and the position of the next page.
 */
export interface UpcomingBookingsPage {
  readonly count: number
  readonly expired: number
  readonly paid: number
  readonly next: Position | undefined
}

/** The totals for a departure without a session, over all live bookings with the same start. */
export interface DepartureTotals {
  readonly offeringId: string
  readonly startsAt: Instant
  /** The latest end among the bookings. */
  readonly endsAt: Instant
  /** The smallest booking ID. */
  readonly firstId: string
  readonly bookings: number
  readonly quantity: number
  /** The part of the totals that comes from holds, which can expire. */
  readonly heldBookings: number
  readonly heldQuantity: number
}

/** Selects departures with `from <= startsAt < to`. */
export interface DepartureQuery {
  readonly orgId: string
  readonly from: Instant
  readonly to: Instant
  /** Holds that expire at or before this time are ignored. */
  readonly now: Instant
}

/** Selects the guests in a session, or at one start of an offering without sessions. */
export interface DepartureGuestsQuery {
  readonly orgId: string
  readonly offeringId: string
  readonly sessionId: string | null
  /** The start. Used only if `sessionId` is null. */
  readonly startsAt: Instant
}

/** A confirmed booking in a list of guests. */
export interface DepartureGuest {
  /** The guest's name. Can be empty. */
  readonly name: string
  readonly email: string
  readonly quantity: number
}

/**
 * Stores bookings. A booking is live while it is confirmed, or held with an expiry after `now`.
 *
 * A booking must reference an offering and a customer in the same org. A class booking must also reference a session.
 * References and idempotency keys are unique within an org, even among canceled bookings. Handles and check-in tokens
 * are unique across all orgs. A write that violates these rules fails as a defect and stores nothing.
 */
export class BookingStore extends Context.Tag("@trailbook/core/BookingStore")<
  BookingStore,
  {
    /** Returns each booking once, in any order, even if its key is repeated. Unknown keys are skipped. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** Returns the bookings created with these idempotency keys, each once, in any order. */
    readonly findByIdempotencyKey: (
      keys: ReadonlyArray<{ readonly orgId: string; readonly key: string }>
    ) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** Finds a booking by its guest page handle, in any org. */
    readonly findByHandle: (handle: string) => Effect.Effect<Option.Option<BookingRecord>>
    /** Finds a booking by its QR code token, in any org. */
    readonly findByCheckInToken: (token: string) => Effect.Effect<Option.Option<BookingRecord>>
    /**
     * Lists bookings with `from <= startsAt < to`, sorted by start and ID in the direction of `order`, starting after
     * the position `after`. `q` searches the reference and the guest's name, email, and phone (`customerSearch.ts`).
     */
    readonly list: (query: {
      readonly orgId: string
      readonly from?: Instant | undefined
      readonly to?: Instant | undefined
      readonly status?: BookingStatus | undefined
      readonly offeringId?: string | undefined
      readonly customerId?: string | undefined
      readonly sessionId?: string | undefined
      readonly q?: string | undefined
      /** Selects only the booking with this reference. */
      readonly reference?: string | undefined
      readonly order: "asc" | "desc"
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /**
     * Lists all bookings with an ID below `after`, in descending order. IDs start with the creation time, so the newest
     * bookings come first. The primary key supports this order, so no other index is needed.
     */
    readonly newest: (query: {
      readonly orgId: string
      readonly after?: string | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /**
     * Finds bookings and locks them in ID order until the transaction ends. Returns each booking once, in any order.
     * Unknown keys are skipped.
     */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** Locks the held and confirmed bookings in a session. The result is sorted by ID. */
    readonly lockInSession: (session: OrgKey) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /**
     * Locks the held bookings for an offering, and its confirmed bookings that start after `now`. The result is sorted
     * by ID.
     */
    readonly lockUpcoming: (offering: OrgKey, now: Instant) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /**
     * Counts a page of the bookings that `lockUpcoming` would lock. A hold counts as expired at `now`, or at the
     * place's `judgedAt` if that is later.
     */
    readonly countUpcoming: (offering: OrgKey, query: UpcomingBookingsQuery) => Effect.Effect<UpcomingBookingsPage>
    /** Locks up to `limit` of a customer's bookings with an ID greater than `after`. The result is sorted by ID. */
    readonly lockOfCustomer: (
      customer: OrgKey,
      after: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /**
     * Returns the most relevant booking for each customer, in any order. This is the earliest live booking that ends
     * after `now`, or else the booking with the latest start. Customers without bookings are skipped.
     */
    readonly nextOf: (customers: ReadonlyArray<OrgKey>, now: Instant) => Effect.Effect<ReadonlyArray<BookingRecord>>
    /** Returns one result per query, in query order. Queries can repeat. */
    readonly overlapping: (queries: ReadonlyArray<OverlapQuery>) => Effect.Effect<ReadonlyArray<Overlaps>>
    /**
     * Returns the bookings that match any of the queries. Each booking is returned once, in any order. Each network is
     * locked until the transaction ends so that concurrent transactions cannot count its bookings at the same time.
     * Networks are locked after customers, in sorted order.
     */
    readonly findUnproven: (queries: ReadonlyArray<UnprovenBookingsQuery>) => Effect.Effect<ReadonlyArray<Booking>>
    /**
     * Clears the network from up to `limit` bookings that were created at or before this time. Returns how many
     * bookings changed.
     */
    readonly forgetNetworks: (madeBefore: Instant, limit: number) => Effect.Effect<number>
    /** Inserts or replaces bookings by key. The keys must be distinct. */
    readonly put: (bookings: ReadonlyArray<Booking>) => Effect.Effect<void>
    /**
     * Replaces stored bookings by key. The keys must be distinct. The `immutableBookingFields` never change, so an
     * adapter does not need to rewrite their columns and indexes. `put` is a valid implementation.
     */
    readonly update: (bookings: ReadonlyArray<Booking>) => Effect.Effect<void>
    /** Returns the keys of holds that expired at or before this time, across all orgs, oldest first. */
    readonly holdsExpiredBy: (moment: Instant, limit: number) => Effect.Effect<ReadonlyArray<OrgKey>>
    /** Returns the first `limit` departures of appointments and rentals, sorted by start and offering. */
    readonly listDepartures: (
      query: DepartureQuery & { readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<DepartureTotals>>
    /** Returns the number of held seats in each session that has holds, in any order. */
    readonly heldSeats: (
      query: DepartureQuery
    ) => Effect.Effect<ReadonlyArray<{ readonly sessionId: string; readonly quantity: number }>>
    /**
     * Returns up to `limit` confirmed bookings for each departure, sorted by start and ID. Returns one result per
     * query, in query order. Queries can repeat.
     */
    readonly listFirstGuests: (
      queries: ReadonlyArray<DepartureGuestsQuery>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<DepartureGuest>>>
    /**
     * Counts the confirmed bookings that were created in each span `[from, to)`. Returns one result per span, in input
     * order. Spans can repeat.
     */
    readonly countConfirmed: (
      orgId: string,
      spans: ReadonlyArray<{ readonly from: Instant; readonly to: Instant }>
    ) => Effect.Effect<ReadonlyArray<number>>
  }
>() {}
