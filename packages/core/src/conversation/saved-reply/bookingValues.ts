import type { BookingRecord } from "../../booking/BookingView.ts"
import { guestName } from "../../booking/guestName.ts"
import type { Offering } from "../../offering/Offering.ts"
import type { Org } from "../../org/Org.ts"
import { formatStartTime } from "../message/formatStartTime.ts"
import { firstName, type Values } from "./renderTemplate.ts"

/** Returns the values of all variables for a booking's guest. */
export const bookingValues = (
  record: BookingRecord,
  place: Pick<Offering, "location"> | undefined,
  { name: org, timezone }: Pick<Org, "name" | "timezone">,
  publicUrl: string
): Required<Values> => ({
  first_name: firstName(guestName(record)),
  start_time: formatStartTime(record.booking.startsAt, timezone),
  offering: record.offering.name,
  meeting_point: place?.location ?? "",
  org,
  booking_link: `${publicUrl}/b/${record.booking.handle}`
})
