import { computeBalance } from "../../booking/balance.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import { guestName } from "../../booking/guestName.ts"
import { formatAmount } from "../../money/formatAmount.ts"
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
): Required<Values> => {
  const { dueCents } = computeBalance(record.booking)
  return {
    first_name: firstName(guestName(record)),
    start_time: formatStartTime(record.booking.startsAt, timezone),
    offering: record.offering.name,
    meeting_point: place?.location ?? "",
    org,
    booking_link: `${publicUrl}/b/${record.booking.handle}`,
    balance: dueCents === 0 ? "" : formatAmount(dueCents, record.booking.currency)
  }
}
