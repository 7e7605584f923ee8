import { customersGet } from "@trailbook/core/customer"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { Data } from "./compactResult.ts"
import { defaultLimit } from "./defaults.ts"

/**
 * Omits the customer from each of a guest's bookings, and keeps only the latest bookings. `bookings_list` returns all
 * bookings.
 */
export const omitRepeatedCustomer = (
  { name }: Operation.Any,
  answer: Data
): { readonly answer: Data; readonly notes: ReadonlyArray<string> } => {
  if (name !== customersGet.name) return { answer, notes: [] }
  // The cast is safe, because the registry returns the operation's output.
  const { bookings, ...guest } = answer as (typeof customersGet)["output"]["Type"]
  const rows = bookings.slice(-defaultLimit).map((booking) => ({ ...booking, customer: null, customer_id: null }))
  return {
    answer: { ...guest, bookings: rows },
    notes: rows.length === bookings.length ? [] : [
      `These are the latest ${rows.length} of ${bookings.length} bookings. ` +
      `bookings_list with customer_id=${guest.id} returns all.`
    ]
  }
}
