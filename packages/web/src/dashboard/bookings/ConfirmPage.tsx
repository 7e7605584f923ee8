import type { BookingView } from "@trailbook/core/booking/BookingView"
import { bookingsConfirm, bookingsGet } from "@trailbook/core/operation/bookingOperations"
import * as Effect from "effect/Effect"
import type { Format } from "../../text/Format.ts"
import { saying } from "../frame/said.ts"
import { Consequence } from "../parts/Consequence.tsx"
import type { Act, DeskPage, View } from "../View.ts"
import { hasRunOut, isPaid, momentOf, nameOf, partyOf, whoAndWhen } from "./facts.tsx"

/**
 * What confirming a hold does, and what is due then.
 *
 * @category views
 */
export const view: View = (asked) =>
  Effect.map(asked.run(bookingsGet, { id: asked.param("id") }), (booking): DeskPage => {
    const { clock, refused, shown: { format, site } } = asked
    const back = `/dashboard/bookings/${booking.id}` as const
    return {
      title: "Confirm this booking?",
      part: "bookings",
      lead: <span dir="auto">{whoAndWhen(format, booking)}</span>,
      isLive: false,
      body: booking.status === "held"
        ? (
          <Consequence
            asked={asked}
            back={back}
            backLabel="Leave it held"
            confirm="Confirm the booking"
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
              <a class="btn" href={site.link(back)}>Back to the booking</a>
            </p>
          </div>
        )
    }
  })

const happens = (format: Format, booking: BookingView, now: string): ReadonlyArray<string> => {
  const { checkout_url, customer, expires_at, offering, quantity, total_cents } = booking
  const party = partyOf(format, offering.kind, quantity)
  return [
    isPaid(booking) || total_cents === 0
      ? "Nothing is due."
      : `${format.money(total_cents)} is due, and for you to collect: nothing is charged by this.`,
    ...checkout_url === null || isPaid(booking) ? [] : ["The guest need not pay online any more to keep the place."],
    hasRunOut(booking, now)
      ? `Its hold ran out${
        expires_at === null ? "" : ` on ${momentOf(format, expires_at)}`
      }, so it is confirmed only if there is still room for ${party}.`
      : `The place of ${party} is kept for good.`,
    customer.email === ""
      ? "Nobody is told: the guest was erased."
      : `${nameOf(customer)} is sent the confirmation at ${customer.email}.`
  ]
}

export const act: Act = ({ param, run }) =>
  Effect.as(run(bookingsConfirm, { id: param("id") }), saying(`/dashboard/bookings/${param("id")}`, "confirmed"))
