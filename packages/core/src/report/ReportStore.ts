import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Attendance } from "../booking/attendance/Attendance.ts"
import type { Booking } from "../booking/Booking.ts"
import type { LedgerEntry } from "../payment/ledger/LedgerEntry.ts"
import type { PriceLine } from "../pricing/Pricing.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"

/** A query for a page of rows with `from <= time < to`, sorted by time and ID. */
export interface ReportQuery {
  readonly orgId: string
  readonly from: Instant
  readonly to: Instant
  readonly after: Position | undefined
  readonly limit: number
  /** Payment accounts in test mode. Reports skip these accounts' entries and the bookings that have such entries. */
  readonly testAccounts: ReadonlyArray<string>
}

/** A confirmed or canceled booking in reports. */
export interface ReportBooking
  extends Pick<Booking, "id" | "offeringId" | "startsAt" | "endsAt" | "quantity" | "totalCents" | "currency">
{
  /** The selected time: the start or the booking time. */
  readonly at: Instant
  readonly attendance: Attendance["status"] | null
  /** Null for a booking without price lines and for a canceled booking. */
  readonly lines: ReadonlyArray<PriceLine> | null
  /** Null unless the booking is canceled. */
  readonly keptCents: number | null
}

/** A completed payment or refund. */
export type ReportEntry =
  & Pick<LedgerEntry, "id" | "kind" | "method" | "cents" | "currency" | "recordedBy">
  & { readonly at: Instant }

/** The net amount received for a booking before a given time. */
export interface ReceivedAmount extends Pick<Booking, "id" | "currency"> {
  readonly at: Instant
  readonly cents: number
}

/** A confirmed booking, together with the guest's first confirmed start. */
export interface GuestStart extends Pick<Booking, "id" | "customerId"> {
  readonly at: Instant
  readonly firstAt: Instant
}

/**
 * The totals of the bookings for one start in one currency. At least one total is nonzero. Holds do not count. Canceled
 * bookings count only toward the owed amounts.
 */
export interface StartBalance extends Pick<Booking, "offeringId" | "sessionId" | "startsAt" | "currency"> {
  /** The number of people or items that have arrived. */
  readonly arrived: number
  /** The number of bookings with an amount due, and the total due. */
  readonly due: number
  readonly dueCents: number
  /** The number of bookings with an amount owed, and the total owed. */
  readonly owed: number
  readonly owedCents: number
}

/** A booking with an amount due or owed, or a hold that expires soon. */
export interface OpenBooking extends Pick<Booking, "id"> {
  readonly kind: "due" | "owed" | "hold"
}

/** Selects bookings with `from <= startsAt < to`, and holds regardless of their start. */
export interface DayQuery {
  readonly orgId: string
  readonly from: Instant
  readonly to: Instant
  /** Selects holds with `now < expiresAt <= expireBy`. */
  readonly now: Instant
  readonly expireBy: Instant
  /** The maximum number of open bookings per kind. */
  readonly limit: number
}

export interface ReportDay {
  /** The totals per start, session, and currency, in any order, including test payments. */
  readonly balances: ReadonlyArray<StartBalance>
  /**
   * The open bookings, sorted by kind (due, owed, hold). Each kind is sorted by amount (largest first) or by expiry
   * (earliest first), and then by ID.
   */
  readonly open: ReadonlyArray<OpenBooking>
}

/** Reads only the columns that reports sum. Reading complete rows for a year would take seconds. */
export class ReportStore extends Context.Tag("@trailbook/core/ReportStore")<
  ReportStore,
  {
    /** Returns bookings, sorted by start or by booking time. */
    readonly bookings: (
      query: ReportQuery & { readonly status: "confirmed" | "cancelled"; readonly basis: "start" | "booked" }
    ) => Effect.Effect<ReadonlyArray<ReportBooking>>
    /** Returns completed entries, sorted by completion time. */
    readonly entries: (query: ReportQuery) => Effect.Effect<ReadonlyArray<ReportEntry>>
    /** Returns bookings, sorted by start, with the amounts received for them before `from`. */
    readonly receivedBefore: (query: ReportQuery) => Effect.Effect<ReadonlyArray<ReceivedAmount>>
    /** Returns confirmed bookings, sorted by start. */
    readonly guestStarts: (query: ReportQuery) => Effect.Effect<ReadonlyArray<GuestStart>>
    readonly day: (query: DayQuery) => Effect.Effect<ReportDay>
  }
>() {}
