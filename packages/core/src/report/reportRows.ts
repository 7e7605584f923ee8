/** The rows of `ReportStore`, for storages that keep complete rows in memory. */
import type { Booking } from "../booking/Booking.ts"
import { type LedgerEntry, paidBy } from "../payment/ledger/LedgerEntry.ts"
import type { Instant } from "../time/Instant.ts"
import type { GuestStart, ReceivedBefore, ReportBooking, ReportEntry, ReportQuery } from "./ReportStore.ts"

type Entries = ReadonlyArray<LedgerEntry>

/** A row of `bookings`. `entries` are those of the booking. */
export const reportBooking = (booking: Booking, basis: "start" | "booked", entries: Entries): ReportBooking => {
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
    keptCents: isCanceled ? Math.min(booking.keepCents, sumOf(entries)) : null
  }
}

/** A row of `entries`; undefined unless the entry is done. */
export const reportEntry = (
  { cents, currency, doneAt, id, kind, method, recordedBy, status }: LedgerEntry
): ReportEntry | undefined =>
  status !== "done" || doneAt === null
    ? undefined
    : { at: doneAt, id, kind, method, cents, currency, recordedBy }

/** A row of `receivedBefore`. */
export const receivedBefore = (
  { currency, id, startsAt }: Booking,
  entries: Entries,
  time: Instant
): ReceivedBefore => ({
  at: startsAt,
  id,
  currency,
  cents: sumOf(entries.filter(({ doneAt, status }) => status === "done" && doneAt !== null && doneAt < time))
})

/** A row of `guestStarts`. `bookings` are those of the guest, by start. */
export const guestStart = ({ customerId, id, startsAt }: Booking, bookings: ReadonlyArray<Booking>): GuestStart => ({
  at: startsAt,
  id,
  customerId,
  firstAt: bookings.find(({ status }) => status === "confirmed")?.startsAt ?? startsAt
})

/** Whether a report leaves out an entry. */
export const isTestEntry = ({ testAccounts }: ReportQuery, { connection }: LedgerEntry): boolean =>
  connection !== null && testAccounts.includes(connection)

const sumOf = (entries: Entries): number => entries.reduce((sum, entry) => sum + paidBy(entry), 0)
