/** Computes the rows of `ReportStore` for storage adapters that keep complete rows in memory. */
import { computeBalance } from "../booking/balance.ts"
import type { Booking } from "../booking/Booking.ts"
import { computePaidCents, type LedgerEntry } from "../payment/ledger/LedgerEntry.ts"
import type { Instant } from "../time/Instant.ts"
import { compareStrings, RowsByKey } from "./period.ts"
import type {
  DayQuery,
  GuestStart,
  OpenBooking,
  ReceivedAmount,
  ReportBooking,
  ReportDay,
  ReportEntry,
  ReportQuery,
  StartBalance
} from "./ReportStore.ts"

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
  { expireBy, from, limit, now, to }: Omit<DayQuery, "orgId">
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
