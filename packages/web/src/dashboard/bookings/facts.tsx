/** What pages say of a booking: its state, its money, its time. */
import type { BookingView } from "@trailbook/core/booking/BookingView"
import { isWithheld } from "@trailbook/core/payment/Payment"
import type { Format } from "../../text/Format.ts"

export const StatusTag = ({ booking, now }: { readonly booking: BookingView; readonly now: string }) => (
  <>
    <StateTag booking={booking} now={now} />
    {booking.dispute?.status === "open" && <span class="tag bad">Disputed</span>}
    {booking.refund?.status === "refused" && <span class="tag bad">Refund refused</span>}
  </>
)

const StateTag = ({ booking, now }: { readonly booking: BookingView; readonly now: string }) => {
  if (booking.status === "cancelled") return <span class="tag">Canceled</span>
  if (booking.status === "confirmed") return <span class="tag ok">Confirmed</span>
  return isHoldExpired(booking, now) ? <span class="tag bad">Hold expired</span> : <span class="tag warn">Held</span>
}

/** Whether it is a hold that keeps its place no longer. */
export const isHoldExpired = ({ expires_at, status }: BookingView, now: string): boolean =>
  status === "held" && expires_at !== null && expires_at <= now

/** Whether it keeps its place. */
export const isActive = (booking: BookingView, now: string): boolean =>
  booking.status !== "cancelled" && !isHoldExpired(booking, now)

/** Whether money was taken online that has not gone back. */
export const isPaid = ({ paid_at, payment_intent_id, refund }: BookingView): boolean =>
  refund === null && (paid_at !== null || payment_intent_id !== null)

/** What a cancellation would give back now, in cents: what was paid online, in full, while it has not begun. */
export const refundNow = (booking: BookingView, now: string): number =>
  booking.status !== "cancelled" && isPaid(booking) && !isWithheld(booking.dispute) && booking.starts_at > now
    ? booking.total_cents
    : 0

/** `Paid online`, `$95 due`, or what became of a refund. */
export const paymentText = ({ money }: Format, booking: BookingView): string => {
  const { dispute, refund, status, total_cents: total } = booking
  if (dispute !== null && refund?.status !== "done") return `${money(total)} ${disputeWords[dispute.status]}`
  if (refund !== null) return `${money(refund.cents)} ${refundWords[refund.status]}`
  if (isPaid(booking)) return `${money(total)} paid online`
  if (total === 0) return "Free"
  return status === "cancelled" ? "Nothing paid" : `${money(total)} due`
}

export const refundWords = {
  due: "is being refunded",
  done: "refunded",
  refused: "refund refused; retried automatically"
} as const

const disputeWords = {
  open: "disputed",
  won: "paid online, dispute won",
  lost: "lost in a dispute"
} as const

interface Span {
  readonly starts_at: string
  readonly ends_at: string
}

/** `Mon, Nov 23, 9:00 AM – 1:00 PM`, with the other date where it ends on one. */
export const timeRangeText = ({ day, localDate, time }: Format, { ends_at, starts_at }: Span): string => {
  const end = localDate(starts_at) === localDate(ends_at) ? time(ends_at) : `${day(ends_at)}, ${time(ends_at)}`
  return `${day(starts_at)}, ${time(starts_at)} – ${end}`
}

/** `Mon, Nov 23, 9:00 AM MST` */
export const momentText = ({ day, time, zone }: Format, instant: string): string =>
  `${day(instant)}, ${time(instant)} ${zone(instant)}`

/** What somebody is called: who was erased has nothing left. */
export const guestName = ({ email, name }: { readonly name: string; readonly email: string }): string =>
  name || email || "Erased guest"

/** `Ada Lovelace · Raft trip · Mon, Nov 23, 9:00 AM – 1:00 PM` */
export const guestAndTime = (format: Format, booking: BookingView): string =>
  `${guestName(booking.customer)} · ${booking.offering.name} · ${timeRangeText(format, booking)}`

/** `1 guest`, `4 guests`, or `2 items` of a rental. */
export const partyText = ({ number }: Format, kind: string, quantity: number): string => {
  const what = kind === "rental" ? "item" : "guest"
  return `${number(quantity)} ${what}${quantity === 1 ? "" : "s"}`
}
