/**
 * Checks that the paid amount of each booking is the sum of its ledger entries, and that the money of all bookings
 * reconciles per currency. Money that was received and not returned must pay for bookings, be kept from canceled
 * bookings, or be owed.
 */
import { computeBalance } from "@trailbook/core/booking"
import { paidBy } from "@trailbook/core/payment"
import { describeBooking, type OrgSnapshot } from "./OrgSnapshot.ts"

export const money = ({ entries, records }: OrgSnapshot): ReadonlyArray<string> => {
  const sums = new Map<string, number>()
  for (const entry of entries) sums.set(entry.bookingId, (sums.get(entry.bookingId) ?? 0) + paidBy(entry))
  const open = new Map<string, number>()
  const add = (currency: string, cents: number) => open.set(currency, (open.get(currency) ?? 0) + cents)
  for (const entry of entries) add(entry.currency, paidBy(entry))
  for (const { booking } of records) {
    const { dueCents, keptCents, owedCents } = computeBalance(booking)
    add(booking.currency, -(keptCents ?? booking.totalCents - dueCents) - owedCents)
  }
  const unreconciled = [...open].flatMap(([currency, cents]) =>
    cents === 0 ? [] : [`${currency}: ${cents} cents do not reconcile`]
  )
  const unequal = records.flatMap(({ booking }) => {
    const { paidCents } = computeBalance(booking)
    const sum = sums.get(booking.id) ?? 0
    return sum === paidCents ? [] : [`${describeBooking(booking)}: its entries sum to ${sum} instead of ${paidCents}`]
  })
  return [...unreconciled, ...unequal]
}
