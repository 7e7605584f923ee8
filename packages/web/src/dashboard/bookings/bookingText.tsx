/** A booking's status, payment, and time as text. */
import type { BookingView } from "@trailbook/core/booking"
import type { CustomerView } from "@trailbook/core/customer"
import type { Format } from "../../text/Format.ts"
import type { PageContext } from "../Page.ts"

interface StatusProps {
  readonly booking: Pick<BookingView, "expires_at" | "status"> & {
    readonly dispute: Pick<NonNullable<BookingView["dispute"]>, "status"> | null
    readonly refund: Pick<NonNullable<BookingView["refund"]>, "status"> | null
  }
  readonly now: string
}

export const StatusTag = ({ booking, now }: StatusProps) => (
  <>
    <StateTag booking={booking} now={now} />
    {booking.dispute?.status === "open" && <span class="tag bad">Disputed</span>}
    {booking.dispute?.status === "lost" && <span class="tag bad">Dispute lost</span>}
    {booking.refund?.status === "refused" && <span class="tag bad">Refund refused</span>}
  </>
)

const StateTag = ({ booking, now }: StatusProps) => {
  if (booking.status === "cancelled") return <span class="tag">Canceled</span>
  if (booking.status === "confirmed") return <span class="tag ok">Confirmed</span>
  return isHoldExpired(booking, now) ? <span class="tag bad">Hold expired</span> : <span class="tag warn">Held</span>
}

/** Whether a booking is a hold that no longer reserves its seats. */
export const isHoldExpired = ({ expires_at, status }: StatusProps["booking"], now: string): boolean =>
  status === "held" && expires_at !== null && expires_at <= now

/** Whether the booking occupies capacity. */
export const isLiveBooking = (booking: BookingView, now: string): boolean =>
  booking.status !== "cancelled" && !isHoldExpired(booking, now)

type PaymentFacts =
  & Pick<BookingView, "due_cents" | "paid_at" | "paid_cents" | "payment_intent_id" | "status" | "total_cents">
  & {
    readonly dispute: Pick<NonNullable<BookingView["dispute"]>, "status"> | null
    readonly refund: Pick<NonNullable<BookingView["refund"]>, "cents" | "status"> | null
  }

/** Whether an online payment was made and not refunded. */
export const isPaidOnline = ({ paid_at, payment_intent_id, refund }: PaymentFacts): boolean =>
  refund === null && (paid_at !== null || payment_intent_id !== null)

/** Returns the payment state, such as `$95 paid online` or `$45 paid, $50 due`, or the refund status. */
export const formatPaymentState = ({ money }: Format, booking: PaymentFacts): string => {
  const { dispute, due_cents: due, paid_cents: paid, refund, status, total_cents: total } = booking
  if (dispute !== null && refund?.status !== "done") return `${money(total)} ${disputeWords[dispute.status]}`
  if (refund !== null) return `${money(refund.cents)} ${refundLabels[refund.status]}`
  // The price may have changed since the online payment.
  if (isPaidOnline(booking) && paid === total) return `${money(total)} paid online`
  if (total === 0 && paid === 0) return "Free"
  if (status === "cancelled") return paid === 0 ? "Nothing paid" : `${money(paid)} paid`
  return due === 0 ? `${money(paid)} paid` : paid === 0 ? `${money(due)} due` : `${money(paid)} paid, ${money(due)} due`
}

export const refundLabels = {
  due: "is being refunded",
  done: "refunded",
  refused: "refund refused, retried automatically"
} as const

const disputeWords = {
  open: "disputed",
  won: "paid online, dispute won",
  lost: "lost in a dispute"
} as const

/** Returns a guest's display name. Erased guests have neither a name nor an email address. */
export const getGuestName = (
  { email, name, phone = "" }: { readonly name: string; readonly email: string; readonly phone?: string }
): string => name || email || phone || "Erased guest"

/** Whether the guest was erased. A walk-in without an email address has a name or a phone number. */
export const isErased = ({ email, name, phone }: Pick<CustomerView, "email" | "name" | "phone">): boolean =>
  email === "" && name === "" && phone === ""

/** Describes the emails that the guest receives, or explains why there are none. */
export const describeGuestMail = (
  customer: BookingView["customer"],
  text: (name: string, email: string) => string
): string => {
  if (isErased(customer)) return "No email is sent because the guest's data was erased."
  const name = getGuestName(customer)
  return customer.email === "" ? `No email is sent because ${name} has no email address.` : text(name, customer.email)
}

/** Formats a booking, such as `Ada Lovelace · Raft trip · Mon, Nov 23, 9:00 AM – 1:00 PM`. */
export const formatBooking = (format: Format, booking: BookingView): string =>
  `${getGuestName(booking.customer)} · ${booking.offering.name} · ${format.timeRange(booking)}`

/** Returns the title, the booking, and the back link for a page about a booking. */
export const bookingHead = ({ format }: PageContext, booking: BookingView, title: string) => ({
  title,
  lead: <span dir="auto">{formatBooking(format, booking)}</span>,
  back: `/bookings/${booking.id}` as const
})

/** Formats a quantity, such as `1 guest`, `4 guests`, or `2 items` for a rental. */
export const formatQuantity = ({ number }: Format, kind: string, quantity: number): string => {
  const unit = kind === "rental" ? "item" : "guest"
  return `${number(quantity)} ${unit}${quantity === 1 ? "" : "s"}`
}
