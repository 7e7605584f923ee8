import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Attendance } from "../booking/attendance/Attendance.ts"
import type { Booking } from "../booking/Booking.ts"
import type { LedgerEntry } from "../payment/ledger/LedgerEntry.ts"
import type { Line } from "../pricing/Pricing.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"

/** A page of the rows with `from <= time < to`, sorted by that time and ID. */
export interface ReportQuery {
  readonly orgId: string
  readonly from: Instant
  readonly to: Instant
  readonly after: Position | undefined
  readonly limit: number
  /** Payment accounts in test mode. Their entries, and the bookings with such entries, are left out. */
  readonly testAccounts: ReadonlyArray<string>
}

/** The fields of a confirmed or canceled booking that reports count. */
export interface ReportBooking
  extends Pick<Booking, "id" | "offeringId" | "startsAt" | "endsAt" | "quantity" | "totalCents" | "currency">
{
  /** The time by which the rows are selected. */
  readonly at: Instant
  readonly attendance: Attendance["status"] | null
  /** Null if it has the specified price, and once canceled. */
  readonly lines: ReadonlyArray<Line> | null
  /** Null unless canceled. */
  readonly keptCents: number | null
}

/** A payment or refund that is done. */
export type ReportEntry =
  & Pick<LedgerEntry, "id" | "kind" | "method" | "cents" | "currency" | "recordedBy">
  & { readonly at: Instant }

/** The net amount that a booking received before a time. */
export interface ReceivedBefore extends Pick<Booking, "id" | "currency"> {
  readonly at: Instant
  readonly cents: number
}

/** A confirmed booking of a guest, and the first start of all confirmed bookings of the guest. */
export interface GuestStart extends Pick<Booking, "id" | "customerId"> {
  readonly at: Instant
  readonly firstAt: Instant
}

/** The bookings of a start, summed by currency. Holds do not count. Canceled bookings count in the owed amounts only. */
export interface StartBalance extends Pick<Booking, "offeringId" | "sessionId" | "startsAt" | "currency"> {
  /** The people or items that have arrived. */
  readonly arrived: number
  /** The number of bookings with an amount due, and the sum of these amounts. */
  readonly due: number
  readonly dueCents: number
  /** The number of bookings with an amount owed, and the sum of these amounts. */
  readonly owed: number
  readonly owedCents: number
}

/** A booking with an open amount, or a hold that expires soon. */
export interface OpenBooking extends Pick<Booking, "id"> {
  readonly kind: "due" | "owed" | "hold"
}

/** Selects the bookings with `from <= startsAt < to`, and holds of any start. */
export interface DayQuery {
  readonly orgId: string
  readonly from: Instant
  readonly to: Instant
  /** Selects the holds with `now < expiresAt <= expireBy`. */
  readonly now: Instant
  readonly expireBy: Instant
  /** The maximum number of open bookings of each kind. */
  readonly limit: number
}

export interface ReportDay {
  /** The sums of each start, session, and currency, in any order. Test payments count. */
  readonly balances: ReadonlyArray<StartBalance>
  /** Sorted by kind (due, owed, hold), then the largest amount or the first expiry first, then by ID. */
  readonly open: ReadonlyArray<OpenBooking>
}

/** Reads the few columns that reports sum, because complete rows of a year would take seconds. */
export class ReportStore extends Context.Tag("@trailbook/core/ReportStore")<
  ReportStore,
  {
    /** Bookings by their start, or by the time of the booking. */
    readonly bookings: (
      query: ReportQuery & { readonly status: "confirmed" | "cancelled"; readonly basis: "start" | "booked" }
    ) => Effect.Effect<ReadonlyArray<ReportBooking>>
    /** Entries with the status done, by the time when they were done. */
    readonly entries: (query: ReportQuery) => Effect.Effect<ReadonlyArray<ReportEntry>>
    /** Bookings by their start, with the amounts that they received before `from`. */
    readonly receivedBefore: (query: ReportQuery) => Effect.Effect<ReadonlyArray<ReceivedBefore>>
    /** Confirmed bookings by their start. */
    readonly guestStarts: (query: ReportQuery) => Effect.Effect<ReadonlyArray<GuestStart>>
    readonly day: (query: DayQuery) => Effect.Effect<ReportDay>
  }
>() {}
