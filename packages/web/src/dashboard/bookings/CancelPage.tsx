import { bookingsCancel, bookingsGet } from "@trailbook/core/booking/bookingOperations"
import type { BookingView } from "@trailbook/core/booking/BookingView"
import { isWithheld } from "@trailbook/core/payment/Payment"
import * as Effect from "effect/Effect"
import type { Format } from "../../text/Format.ts"
import { withFlash } from "../frame/flashMessage.ts"
import { Button } from "../kit/elements.tsx"
import { Consequence } from "../kit/page.tsx"
import type { DashboardPage, FormAction, PageView } from "../Page.ts"
import { guestAndTime, guestName, isHoldExpired, isPaid, partyText, refundNow } from "./facts.tsx"

/** Confirmation page for a cancellation. */
export const view: PageView = (asked) =>
  Effect.map(asked.run(bookingsGet, { id: asked.param("id") }), (booking): DashboardPage => {
    const { clock, shown: { format } } = asked
    return {
      title: "Cancel this booking?",
      part: "bookings",
      lead: <span dir="auto">{guestAndTime(format, booking)}</span>,
      isLive: false,
      body: booking.status === "cancelled"
        ? (
          <div class="stack">
            <p class="note">This booking is already canceled.</p>
            <p>
              <Button to={`/bookings/${booking.id}`}>Back to the booking</Button>
            </p>
          </div>
        )
        : (
          <Consequence
            back={`/bookings/${booking.id}`}
            backLabel="Keep the booking"
            button="Cancel the booking"
            happens={happens(format, booking, clock.stamp)}
          />
        )
    }
  })

const happens = (format: Format, booking: BookingView, now: string): ReadonlyArray<string> => {
  const { customer, offering, quantity } = booking
  const refund = refundNow(booking, now)
  return [
    "This cannot be undone. The guest would need to book again.",
    isHoldExpired(booking, now) || booking.starts_at <= now
      ? "No seats become available."
      : `Space for ${partyText(format, offering.kind, quantity)} can be booked again immediately.`,
    refund > 0
      ? `The online payment of ${format.money(refund)} will be refunded in full.`
      : isPaid(booking) && isWithheld(booking.dispute)
      ? `The payment of ${
        format.money(booking.total_cents)
      } is disputed, so it is not refunded: a refund would pay the guest twice. The guest's bank decides. Respond to ` +
        "the dispute at your payment provider before you cancel."
      : isPaid(booking)
      ? `No automatic refund, because the trip has started. ${format.money(booking.total_cents)} was paid online.`
      : "Nothing was paid online, so there is no refund.",
    customer.email === ""
      ? "No email is sent because the guest was erased."
      : `${guestName(customer)} gets an email at ${customer.email} immediately.`
  ]
}

export const act: FormAction = ({ param, run }) =>
  Effect.as(run(bookingsCancel, { id: param("id") }), withFlash(`/dashboard/bookings/${param("id")}`, "cancelled"))
