import type { BookingRecord } from "../booking/BookingView.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Org } from "../org/Org.ts"
import { firstName, type Values } from "./fillIn.ts"
import { startTime } from "./startTime.ts"

/**
 * The values of all variables for the guest of a booking.
 *
 * @category calculating
 */
export const bookingValues = (
  { booking, customer, offering: { name: offering } }: BookingRecord,
  place: Pick<Offering, "location"> | undefined,
  { name: org, timezone }: Pick<Org, "name" | "timezone">,
  publicUrl: string
): Required<Values> => ({
  first_name: firstName(customer.name),
  start_time: startTime(booking.startsAt, timezone),
  offering,
  meeting_point: place?.location ?? "",
  org,
  booking_link: `${publicUrl}/b/${booking.handle}`
})
