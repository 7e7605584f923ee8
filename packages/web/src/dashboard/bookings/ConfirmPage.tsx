import { bookingsConfirm, bookingsGet } from "@trailbook/core/booking/bookingOperations"
import type { BookingView } from "@trailbook/core/booking/BookingView"
import * as Effect from "effect/Effect"
import type { Format } from "../../text/Format.ts"
import { withFlash } from "../frame/flashMessage.ts"
import { Button } from "../kit/elements.tsx"
import { Consequence } from "../kit/page.tsx"
import type { DashboardPage, FormAction, PageView } from "../Page.ts"
import { guestAndTime, guestName, isHoldExpired, isPaid, momentText, partyText } from "./facts.tsx"

/** Confirmation page for a hold, with the amount due. */
export const view: PageView = (asked) =>
  Effect.map(asked.run(bookingsGet, { id: asked.param("id") }), (booking): DashboardPage => {
    const { clock, refused, shown: { format } } = asked
    return {
      title: "Confirm this booking?",
      part: "bookings",
      lead: <span dir="auto">{guestAndTime(format, booking)}</span>,
      isLive: false,
      body: booking.status === "held"
        ? (
          <Consequence
            back={`/bookings/${booking.id}`}
            backLabel="Keep hold"
            button="Confirm the booking"
            isGrave={false}
            happens={happens(format, booking, clock.stamp)}
          />
        )
        : (
          <div class="stack">
            <p class={refused === undefined ? "note" : "note wrong"}>
              {refused?.message ??
                (booking.status === "confirmed" ? "This booking is confirmed." : "This booking is cancelled.")}
            </p>
            <p>
              <Button to={`/bookings/${booking.id}`}>Back to the booking</Button>
            </p>
          </div>
        )
    }
  })

const happens = (format: Format, booking: BookingView, now: string): ReadonlyArray<string> => {
  const { checkout_url, customer, expires_at, offering, quantity, total_cents } = booking
  const party = partyText(format, offering.kind, quantity)
  return [
    isPaid(booking) || total_cents === 0
      ? "No payment is due."
      : `${format.money(total_cents)} is due. Confirming does not charge the guest, so collect it yourself.`,
    ...checkout_url === null || isPaid(booking) ? [] : ["The guest no longer needs to pay online to keep the place."],
    isHoldExpired(booking, now)
      ? `The hold expired${
        expires_at === null ? "" : ` on ${momentText(format, expires_at)}`
      }, so it can be confirmed only if there is still space for ${party}.`
      : `Space for ${party} is reserved.`,
    customer.email === ""
      ? "No email is sent because the guest was erased."
      : `${guestName(customer)} receives the confirmation at ${customer.email}.`
  ]
}

export const act: FormAction = ({ param, run }) =>
  Effect.as(run(bookingsConfirm, { id: param("id") }), withFlash(`/dashboard/bookings/${param("id")}`, "confirmed"))
