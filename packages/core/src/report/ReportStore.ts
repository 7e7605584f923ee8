import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Attendance } from "../booking/attendance/Attendance.ts"
import { computeBalance } from "../booking/balance.ts"
import type { Booking } from "../booking/Booking.ts"
import { computePaidCents, type LedgerEntry } from "../payment/ledger/LedgerEntry.ts"
import type { PriceLine } from "../pricing/Pricing.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import { compareStrings, RowsByKey } from "./reportPeriod.ts"

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
export interface ReportDayQuery {
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
    readonly day: (query: ReportDayQuery) => Effect.Effect<ReportDay>
  }
>() {}

// The following functions compute the rows for storage adapters that keep complete rows in memory.

type Entries = ReadonlyArray<LedgerEntry>

/** Returns a row for `bookings`. `entries` contains the booking's ledger entries. */
export const toReportBooking = (booking: Booking, basis: "start" | "booked", entries: Entries): ReportBooking => {
  const { attendance, createdAt, currency, endsAt, id, offeringId, price, quantity, startsAt, totalCents } = booking
  const isCanceled = booking.status === "cancelled"
  return {
    at: basis === "start" ? startsAt : createdAt,
    id,
    offeringId,
    startsAt,
    endsAt,
    quantity,
    totalCents,
    currency,
    attendance: attendance?.status ?? null,
    lines: isCanceled ? null : price?.lines ?? null,
    keptCents: isCanceled ? Math.min(booking.keepCents, sumPaid(entries)) : null
  }
}

/** Returns a row for `entries`, or undefined if the entry is not done. */
export const toReportEntry = (
  { cents, currency, doneAt, id, kind, method, recordedBy, status }: LedgerEntry
): ReportEntry | undefined =>
  status !== "done" || doneAt === null
    ? undefined
    : { at: doneAt, id, kind, method, cents, currency, recordedBy }

/** Returns a row for `toReceivedAmount`. */
export const toReceivedAmount = (
  { currency, id, startsAt }: Booking,
  entries: Entries,
  time: Instant
): ReceivedAmount => ({
  at: startsAt,
  id,
  currency,
  cents: sumPaid(entries.filter(({ doneAt, status }) => status === "done" && doneAt !== null && doneAt < time))
})

/** Returns a row for `guestStarts`. `bookings` contains the guest's bookings, sorted by start. */
export const toGuestStart = ({ customerId, id, startsAt }: Booking, bookings: ReadonlyArray<Booking>): GuestStart => ({
  at: startsAt,
  id,
  customerId,
  firstAt: bookings.find(({ status }) => status === "confirmed")?.startsAt ?? startsAt
})

/** Returns the rows for `day`. `bookings` contains all of the org's bookings. */
export const toReportDay = (
  bookings: ReadonlyArray<Booking>,
  { expireBy, from, limit, now, to }: Omit<ReportDayQuery, "orgId">
): ReportDay => {
  const sums = new RowsByKey<{ -readonly [Name in keyof StartBalance]: StartBalance[Name] }>()
  const ranks: Record<OpenBooking["kind"], Array<readonly [rank: number, id: string]>> = { due: [], owed: [], hold: [] }
  for (const booking of bookings) {
    const { attendance, currency, id, offeringId, sessionId, startsAt } = booking
    if (booking.status === "held") {
      if (booking.expiresAt > now && booking.expiresAt <= expireBy) ranks.hold.push([booking.expiresAt, id])
      continue
    }
    if (startsAt < from || startsAt >= to) continue
    const { dueCents, owedCents } = computeBalance(booking)
    if (dueCents > 0) ranks.due.push([-dueCents, id])
    if (owedCents > 0) ranks.owed.push([-owedCents, id])
    if (dueCents + owedCents + (attendance?.arrived ?? 0) === 0) continue
    const row = sums.get(
      [startsAt, sessionId, offeringId, currency].join(" "),
      () => ({ offeringId, sessionId, startsAt, currency, arrived: 0, due: 0, dueCents: 0, owed: 0, owedCents: 0 })
    )
    row.arrived += attendance?.arrived ?? 0
    row.due += dueCents > 0 ? 1 : 0
    row.dueCents += dueCents
    row.owed += owedCents > 0 ? 1 : 0
    row.owedCents += owedCents
  }
  return {
    balances: sums.sorted(() => 0),
    open: (["due", "owed", "hold"] as const).flatMap((kind) =>
      ranks[kind].toSorted(([a, x], [b, y]) => a - b || compareStrings(x, y)).slice(0, limit).map(([, id]) => ({
        kind,
        id
      }))
    )
  }
}

/** Returns whether reports skip an entry because it is a test payment. */
export const isTestEntry = ({ testAccounts }: ReportQuery, { connection }: LedgerEntry): boolean =>
  connection !== null && testAccounts.includes(connection)

const sumPaid = (entries: Entries): number => entries.reduce((sum, entry) => sum + computePaidCents(entry), 0)
