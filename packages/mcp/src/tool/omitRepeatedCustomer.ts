import { customersGet } from "@trailbook/core/customer/customerOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { Data } from "./compactResult.ts"
import { defaultLimit } from "./defaults.ts"

/**
 * A guest's bookings do not say again whose they are. Of one who was here
 * hundreds of times they are the last: `bookings_list` goes through all of them.
 */
export const omitRepeatedCustomer = (
  { name }: Operation.Any,
  answer: Data
): { readonly answer: Data; readonly notes: ReadonlyArray<string> } => {
  if (name !== customersGet.name) return { answer, notes: [] }
  // The registry answers with what the operation says.
  const { bookings, ...guest } = answer as (typeof customersGet)["output"]["Type"]
  const shown = bookings.slice(-defaultLimit).map((booking) => ({ ...booking, customer: null, customer_id: null }))
  return {
    answer: { ...guest, bookings: shown },
    notes: shown.length === bookings.length ? [] : [
      `These are the last ${shown.length} of ${bookings.length} bookings: bookings_list with customer_id=${guest.id} has all.`
    ]
  }
}
