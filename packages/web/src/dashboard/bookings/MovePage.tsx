import { invalid } from "@trailbook/core"
import type { SlotView } from "@trailbook/core/availability"
import { bookingsGet, bookingsMove, type BookingView } from "@trailbook/core/booking"
import { offeringsGet } from "@trailbook/core/offering"
import * as Effect from "effect/Effect"
import { getSlotKey } from "../../book/BookingSelection.ts"
import { href } from "../../ui/href.ts"
import { Button, ErrorNote, HiddenFields } from "../kit/elements.tsx"
import { confirmPage, type PageContent, type PageContext, redirectTo } from "../kit/page.tsx"
import { describeGuestMail, formatQuantity, getGuestName, isPaidOnline } from "./bookingText.tsx"
import { DayLinks, loadSlotDays, parseSlot, type SlotDays, TimeChoices } from "./SlotChoices.tsx"

/** Moves a booking in two steps: choose a start time, and then review the changes. */
export const moveBookingPage = confirmPage("/bookings/:id/move", {
  *view(context) {
    const { param, query, rejection, run } = context
    const booking = yield* run(bookingsGet, { id: param("id") })
    if (booking.status === "cancelled") return toBlocked(booking, "This booking is canceled and cannot be moved.")
    if (booking.ends_at <= context.now) {
      return toBlocked(booking, "This trip has ended and cannot be moved.")
    }
    const offering = yield* run(offeringsGet, { id: booking.offering_id })
    const minutes = (Date.parse(booking.ends_at) - Date.parse(booking.starts_at)) / 60_000
    const availability = yield* loadSlotDays(context, {
      offering,
      quantity: booking.quantity,
      // Round the number of periods, so that the hour added or removed by a clock change does not matter.
      periods: Math.min(Math.max(1, Math.round(minutes / offering.duration_minutes)), offering.max_periods),
      from: rejection?.form["from"] ?? query("from"),
      date: rejection?.form["date"] ?? query("date")
    })
    const requestedSlot = rejection === undefined ? query("to") : undefined
    const slot = availability.slots.find((slot) => getSlotKey(slot) === requestedSlot)
    return slot === undefined
      ? renderTimes(
        context,
        booking,
        availability,
        rejection?.message ??
          (requestedSlot === undefined ? undefined : "This time is no longer available. Choose another time.")
      )
      : renderReview(context, booking, availability, slot)
  },
  submit: ({ form: { to = "" }, param, run }) =>
    to === ""
      ? invalid("to: choose a time")
      : Effect.as(
        run(bookingsMove, { id: param("id"), ...parseSlot(to) }),
        redirectTo(`/bookings/${param("id")}`, "moved")
      )
})

const toMovePath = ({ id }: BookingView) => `/dashboard/bookings/${id}/move` as const

const renderLead = ({ format }: PageContext, { customer, offering, ...booking }: BookingView) => (
  <span dir="auto">{`${getGuestName(customer)} · ${offering.name} · now ${format.timeRange(booking)}`}</span>
)

const renderTimes = (
  context: PageContext,
  booking: BookingView,
  availability: SlotDays,
  error: string | undefined
): PageContent => ({
  title: "Move this booking",
  lead: renderLead(context, booking),
  body: (
    <div class="stack">
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      <section class="card pad stack" aria-label="New time">
        <DayLinks open={availability} link={(days) => href(context, toMovePath(booking), days)} />
        <form class="stack" action={context.site.link(toMovePath(booking))}>
          <HiddenFields values={{ from: availability.days[0]?.date, date: availability.date }} />
          <TimeChoices open={availability} name="to" chosen={undefined} />
          <p class="hint">
            {`Choose a time with room for ${formatQuantity(context.format, booking.offering.kind, booking.quantity)}.`}
          </p>
          <p class="acts">
            {availability.slots.some(availability.hasRoom) && <button class="btn main">Review change</button>}
            <Button to={`/bookings/${booking.id}`}>Keep current time</Button>
          </p>
        </form>
      </section>
    </div>
  )
})

const renderReview = (
  context: PageContext,
  booking: BookingView,
  availability: SlotDays,
  slot: SlotView
) => {
  const { format, now } = context
  const { customer, total_cents } = booking
  return {
    title: "Move this booking?",
    lead: renderLead(context, booking),
    back: `/bookings/${booking.id}` as const,
    backLabel: "Keep current time",
    button: "Move booking",
    isGrave: false,
    hidden: { to: getSlotKey(slot), from: availability.days[0]?.date, date: availability.date },
    happens: [
      <>
        <s>{format.timeRange(booking)}</s> becomes <b>{`${format.timeRange(slot)} ${format.zone(slot.ends_at)}`}</b>.
      </>,
      booking.starts_at <= now
        ? "The old time has passed, so no one else can book it."
        : "The space at the old time becomes available immediately.",
      `The reference and price stay the same${
        isPaidOnline(booking) ? `, and the ${format.money(total_cents)} paid stays with the booking` : ""
      }. Nothing is charged or refunded.`,
      describeGuestMail(customer, (name, email) => `${name} gets an email at ${email} immediately.`)
    ]
  }
}

const toBlocked = ({ id }: BookingView, reason: string) => ({
  title: "Move this booking",
  back: `/bookings/${id}` as const,
  backLabel: "Back to the booking",
  reason
})
