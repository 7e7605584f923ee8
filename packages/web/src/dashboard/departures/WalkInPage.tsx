import { bookingsCheckIn } from "@trailbook/core/booking/attendance/attendanceOperations"
import { bookingsCreate } from "@trailbook/core/booking/bookingOperations"
import { walkInMinutes } from "@trailbook/core/booking/createBooking"
import { dashboardDeparture, type DepartureView } from "@trailbook/core/booking/departureOperations"
import { offeringsGet } from "@trailbook/core/offering/offeringOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { isId } from "../../isId.ts"
import { Field, Hidden } from "../../ui/Field.tsx"
import { isCheckInOpen } from "../bookings/attendance.tsx"
import { timeRangeText } from "../bookings/facts.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import { Button, Empty } from "../kit/elements.tsx"
import { ownUrl, page } from "../kit/page.tsx"
import type { Clock, PageContext } from "../Page.ts"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"

/** Whether a guest who is already there can join this departure: it starts today, or started within the last hour. */
export const takesWalkIns = (
  { booked, capacity, starts_at, status }: DepartureView,
  { now, today, zone }: Clock
): boolean => {
  const startsAt = Instant.parse(starts_at)
  return status === "scheduled" && booked < capacity && startsAt !== undefined &&
    startsAt >= Instant.addMinutes(now, -walkInMinutes) && startsAt < zone.startOf(LocalDate.addDays(today, 1))
}

/** Larger parties are typed on the page of a new booking. */
const maxSize = 12

/** Books guests who are already there for one departure, and checks them in. */
export const walkIn = page("/departures/:id/walk-in", {
  *view(context) {
    const { clock, format, id, refused, run } = context
    const departure = yield* run(dashboardDeparture, { id })
    const { booked, capacity, offering: { kind } } = departure
    const { max_per_booking: max, price_cents: price } = yield* run(offeringsGet, { id: departure.offering.id })
    const left = capacity - booked
    const isParty = kind === "appointment"
    const sizes = Array.from({ length: Math.min(max, maxSize) }, (_, at) => at + 1)
    const { field, mistakes } = makeForm(refused, { name: "Name or phone", quantity: size[kind] }, refused?.form ?? {})
    const chosen = refused?.form["quantity"] ?? "1"
    return {
      title: "Walk-in",
      part: "calendar",
      lead: `${departure.offering.name} · ${timeRangeText(format, departure)} · ${format.number(left)} left`,
      body: takesWalkIns(departure, clock) || refused !== undefined
        ? (
          <form class="card pad stack form" method="post" action={ownUrl(context)} data-once="">
            <FormErrorNote of={mistakes} />
            <Hidden
              values={{
                key: keyOf(context),
                unnamed: refused?.form["unnamed"] ?? `Walk-in ${format.time(clock.stamp)}`
              }}
            />
            <fieldset class="stack tight" id="quantity">
              <legend class="label">{size[kind]}</legend>
              <ul class="starts num">
                {sizes.map((count) => (
                  <li key={count}>
                    <label>
                      <input
                        type="radio"
                        name="quantity"
                        value={count}
                        required
                        disabled={!isParty && count > left}
                        checked={String(count) === chosen}
                      />
                      <span>
                        {format.number(count)}
                        <small>{price === 0 ? "Free" : format.money(isParty ? price : price * count)}</small>
                      </span>
                    </label>
                  </li>
                ))}
              </ul>
            </fieldset>
            <Field
              {...field("name")}
              hint={`Without one, the booking is saved as “Walk-in ${format.time(clock.stamp)}”.`}
              optional="optional"
              input={{ maxLength: 120, autocomplete: "off", dir: "auto" }}
            />
            <p class="acts">
              <button class="btn main">Add walk-in</button>
              <Button to={`/departures/${id}`}>Cancel</Button>
            </p>
          </form>
        )
        : (
          <section class="card" aria-label="Walk-in">
            <Empty>
              This departure takes no walk-ins: it is full, canceled, on another day, or started over an hour ago.
            </Empty>
          </section>
        )
    }
  },
  *submit({ form, id, now, org, run }) {
    const { offering, session_id, starts_at } = yield* run(dashboardDeparture, { id })
    const { key = "", name = "", quantity = "", unnamed = "" } = form
    if (!/^[1-9]\d?$/.test(quantity)) return yield* invalid("quantity: choose one")
    const typed = name.trim()
    const booking = yield* run(bookingsCreate, {
      offering_id: offering.id,
      ...(session_id === null ? { starts_at } : { session_id }),
      quantity: Number(quantity),
      walk_in: true,
      customer: isPhone(typed) ? { phone: typed } : { name: typed || unnamed },
      idempotency_key: key
    })
    // Can be repeated like the booking, so a resubmitted form has no further effect.
    if (isCheckInOpen(booking, now, org.timezone)) yield* run(bookingsCheckIn, { id: booking.id })
    return withFlash(`/dashboard/departures/${id}`, "walked_in")
  }
})

const size = { class: "Seats", appointment: "People", rental: "Items" } as const

const isPhone = (text: string): boolean => /^\+?[\d\s().-]{5,40}$/.test(text)

/** Idempotency key of the form. Changes only if the form was edited after the key had been used. */
const keyOf = ({ refused }: PageContext): string => {
  const { key = "" } = refused?.form ?? {}
  return refused?.code !== "idempotency_conflict" && isId(key) ? key : crypto.randomUUID()
}
