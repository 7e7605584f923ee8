import { getOnlinePaymentCents } from "../../booking/balance.ts"
import type { Booking } from "../../booking/Booking.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import { formatAmount } from "../../money/Currency.ts"
import { formatQuantity } from "../../offering/formatQuantity.ts"
import type { Offering } from "../../offering/Offering.ts"
import type { Org } from "../../org/Org.ts"
import { isMoneyWithheld } from "../../payment/Payment.ts"
import { formatStartTime } from "../message/formatStartTime.ts"

/**
 * Returns the end of the message that announces the cancellation of a guest's bookings for one offering. It lists each
 * booking with its refund. If the offering can be booked, it also contains the URL of the booking page.
 */
export const formatCancellations = (
  records: ReadonlyArray<BookingRecord>,
  offering: Pick<Offering, "id" | "active" | "deletedAt"> | undefined,
  { currency, slug, timezone }: Pick<Org, "currency" | "slug" | "timezone">,
  publicUrl: string
): string => {
  const isRefunded = records.some(({ booking }) => booking.paidAt !== null && !isMoneyWithheld(booking.dispute))
  const canRebook = offering?.active === true && offering.deletedAt === null
  return [
    [
      records.length === 1 ? "Your canceled booking:" : "Your canceled bookings:",
      ...records.map(({ booking, offering: { kind, name } }) =>
        `- ${booking.reference}: ${name}, ${formatStartTime(booking.startsAt, timezone)}, ${
          formatQuantity(kind, booking.quantity)
        }${refundOf(booking, currency)}\n  ${publicUrl}/b/${booking.handle}`
      )
    ].join("\n"),
    ...(isRefunded ? ["The refund goes to the card or account you paid with. It can take a few days."] : []),
    ...(canRebook ? [`Book another time:\n${publicUrl}/book/${slug}/${offering.id}`] : [])
  ].join("\n\n")
}

const refundOf = (booking: Booking, currency: string): string => {
  const { dispute, paidAt, refund } = booking
  if (paidAt === null) return ""
  const total = formatAmount(refund?.cents ?? getOnlinePaymentCents(booking), currency)
  if (refund?.status === "done") return `, ${total} refunded`
  return isMoneyWithheld(dispute) ? ", not refunded because the payment is disputed" : `, ${total} refund in progress`
}
