/** Checks that the paid amount of each booking is the sum of its ledger entries. */
import { computeBalance } from "@trailbook/core/booking/balance"
import { paidBy } from "@trailbook/core/payment/ledger/LedgerEntry"
import { describeBooking, type OrgSnapshot } from "./OrgSnapshot.ts"

export const money = ({ entries, records }: OrgSnapshot): ReadonlyArray<string> => {
  const sums = new Map<string, number>()
  for (const entry of entries) sums.set(entry.bookingId, (sums.get(entry.bookingId) ?? 0) + paidBy(entry))
  return records.flatMap(({ booking }) => {
    const { paidCents } = computeBalance(booking)
    const sum = sums.get(booking.id) ?? 0
    return sum === paidCents ? [] : [`${describeBooking(booking)}: its entries sum to ${sum} instead of ${paidCents}`]
  })
}
