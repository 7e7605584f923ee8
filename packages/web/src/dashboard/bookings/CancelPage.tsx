import type { BookingView } from "@trailbook/core/booking/BookingView"
import { bookingsCancel, bookingsGet } from "@trailbook/core/operation/bookingOperations"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import type { Format } from "../../text/Format.ts"
import { saying } from "../frame/said.ts"
import { Consequence } from "../parts/Consequence.tsx"
import type { Act, View } from "../View.ts"
import { hasRunOut, isPaid, nameOf, partyOf, refundNow, whenOf } from "./facts.tsx"

/**
 * What a cancellation does, before it is done.
 *
 * @category views
 */
export const view: View = ({ param, refused, run, shown: { format, site } }) =>
  Effect.gen(function*() {
    const booking = yield* run(bookingsGet, { id: param("id") })
    const now = Instant.format(yield* moment)
    const back = `/dashboard/bookings/${booking.id}` as const
    const isOver = booking.status === "cancelled"
    return {
      title: "Cancel this booking?",
      part: "bookings",
      lead: (
        <span dir="auto">
          {`${nameOf(booking.customer)} · ${booking.offering.name} · ${whenOf(format, booking)}`}
        </span>
      ),
      isLive: false,
      body: isOver
        ? (
          <div class="stack">
            <p class="note">This booking is cancelled already.</p>
            <p>
              <a class="btn" href={site.link(back)}>Back to the booking</a>
            </p>
          </div>
        )
        : (
          <Consequence
            site={site}
            back={back}
            backLabel="Keep the booking"
            confirm="Cancel the booking"
            refused={refused?.message}
            happens={happens(format, booking, now)}
          />
        )
    }
  })

const happens = (format: Format, booking: BookingView, now: string): ReadonlyArray<string> => {
  const { customer, offering, quantity } = booking
  const refund = refundNow(booking, now)
  return [
    "It cannot be undone: who wants to come after all books again.",
    hasRunOut(booking, now)
      ? "It keeps no place any more."
      : `The place of ${partyOf(format, offering.kind, quantity)} is free at once, for anybody to book.`,
    refund > 0
      ? `${format.money(refund)} that was paid online is refunded in full.`
      : isPaid(booking)
      ? `Nothing is refunded by itself: it has begun. ${format.money(booking.total_cents)} was paid online.`
      : "Nothing was paid online, so nothing is refunded.",
    customer.email === ""
      ? "Nobody is told: the guest was erased."
      : `${nameOf(customer)} is told by mail at ${customer.email}, at once.`
  ]
}

export const act: Act = ({ param, run }) =>
  Effect.as(run(bookingsCancel, { id: param("id") }), saying(`/dashboard/bookings/${param("id")}`, "cancelled"))
