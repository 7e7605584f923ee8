/**
 * @since 0.1.0
 */
import { customersGet } from "@trailbook/core/operation/customerOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { Data } from "./compact.ts"
import { defaultLimit } from "./defaults.ts"

/**
 * Of a guest who was here hundreds of times the last bookings: `bookings_list`
 * goes through all of them.
 *
 * @since 0.1.0
 * @category converting
 */
export const lastBookings = (
  { name }: Operation.Any,
  answer: Data
): { readonly answer: Data; readonly notes: ReadonlyArray<string> } => {
  const { bookings, id } = answer
  if (name !== customersGet.name || !Array.isArray(bookings) || bookings.length <= defaultLimit) {
    return { answer, notes: [] }
  }
  return {
    answer: { ...answer, bookings: bookings.slice(-defaultLimit) },
    notes: [
      `These are the last ${defaultLimit} of ${bookings.length} bookings: bookings_list with customer_id=${
        String(id)
      } has all.`
    ]
  }
}
