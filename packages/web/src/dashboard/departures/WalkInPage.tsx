import { invalid } from "@trailbook/core"
import {
  bookingsCheckIn,
  bookingsCreate,
  bookingsQuote,
  dashboardDeparture,
  type DepartureView,
  maxWalkInDelayMinutes
} from "@trailbook/core/booking"
import { offeringsGet } from "@trailbook/core/offering"
import { paymentsRecord } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isCheckInOpen } from "../bookings/attendance.tsx"
import { Button, EmptyNote, Field, HiddenFields } from "../kit/elements.tsx"
import { getPageUrl, page, type PageClock, redirectTo } from "../kit/page.tsx"
import { quantityLabels } from "../offerings/offeringTexts.tsx"
import { FormErrorNote, makeFormState } from "../parts/FormErrors.tsx"

/**
 * Whether guests who have already arrived can join this departure. The departure must start later today or have started
 * within the last hour.
 */
export const canAddWalkIns = (
  { booked, capacity, starts_at, status }: DepartureView,
  { now, today, zone }: PageClock
): boolean => {
  const startsAt = Instant.parse(starts_at)
  return status === "scheduled" && booked < capacity && startsAt !== undefined &&
    startsAt >= Instant.addMinutes(now, -maxWalkInDelayMinutes) && startsAt < zone.startOf(LocalDate.addDays(today, 1))
}

/** The maximum party size on this page. For larger parties, staff create a new booking instead. */
const maxSize = 12

/** The buttons that record the payment. Payments by other methods are recorded on the booking page. */
const paymentLabels = { cash: "Paid in cash", card: "Paid by card" } as const

/** Books guests who have already arrived for a departure, records their payment, and checks them in. */
export const walkInPage = page("/departures/:id/walk-in", {
  *view(context) {
    const { clock, format, id, now, rejection, run } = context
    const departure = yield* run(dashboardDeparture, { id })
    const { booked, capacity, offering: { kind } } = departure
    const { id: offering_id, max_per_booking, pricing } = yield* run(offeringsGet, {
      id: departure.offering.id
    })
    const remainingSeats = capacity - booked
    const [rate, ...otherRates] = pricing?.rates ?? []
    const { places } = rate ?? { places: kind === "appointment" ? 0 : 1 }
    const maxCount = Math.min(rate?.max ?? maxSize, Math.floor(max_per_booking / (rate?.places ?? 1)), maxSize)
    const sizes = yield* Effect.forEach(Array.from({ length: maxCount }, (_, at) => at + 1), (count) =>
      Effect.map(
        // Online bookings can have a minimum party size, so some sizes have no price here.
        Effect.option(run(bookingsQuote, { offering_id, ...toParty(rate?.id, count) })),
        (quote) => ({ count, price: Option.getOrUndefined(quote)?.total_cents })
      ))
    const isFree = otherRates.length === 0 && sizes.every(({ price }) => price === 0)
    const { field, key, mistakes } = makeFormState(
      rejection,
      { name: "Name or phone", quantity: quantityLabels[kind] },
      {}
    )
    const selectedSize = rejection?.form["quantity"] ?? "1"
    return {
      title: "Walk-in",
      lead: `${departure.offering.name} · ${format.timeRange(departure)} · ${format.number(remainingSeats)} left`,
      body: canAddWalkIns(departure, clock) || rejection !== undefined
        ? (
          <form class="card pad stack form" method="post" action={getPageUrl(context)} data-once="">
            <FormErrorNote of={mistakes} />
            <HiddenFields values={{ key, unnamed: rejection?.form["unnamed"] ?? `Walk-in ${format.time(now)}` }} />
            <fieldset class="stack tight" id="quantity">
              <legend class="label">{rate?.name ?? quantityLabels[kind]}</legend>
              <ul class="starts num">
                {sizes.map(({ count, price }) => (
                  <li key={count}>
                    <label>
                      <input
                        type="radio"
                        name="quantity"
                        value={count}
                        required
                        disabled={count * places > remainingSeats}
                        checked={String(count) === selectedSize}
                      />
                      <span>
                        {format.number(count)}
                        {price !== undefined && <small>{price === 0 ? "Free" : format.money(price)}</small>}
                      </span>
                    </label>
                  </li>
                ))}
              </ul>
            </fieldset>
            {otherRates.length > 0 && (
              <div class="fields">
                {otherRates.map(({ id, max = null, name, price_cents }) => (
                  <div class="field" key={id}>
                    <label for={`rate-${id}`}>
                      {`${name} (${price_cents === 0 ? "free" : format.money(price_cents)})`}
                    </label>
                    <select id={`rate-${id}`} name={`rate-${id}`}>
                      {Array.from(
                        { length: Math.min(max ?? maxSize, maxSize) + 1 },
                        (_, count) => (
                          <option key={count} value={count} selected={String(count) === rejection?.form[`rate-${id}`]}>
                            {format.number(count)}
                          </option>
                        )
                      )}
                    </select>
                  </div>
                ))}
              </div>
            )}
            <Field
              {...field("name")}
              hint={`If empty, the booking is saved as “Walk-in ${format.time(now)}”.`}
              optional="optional"
              input={{ maxLength: 120, autocomplete: "off", dir: "auto" }}
            />
            <p class="acts">
              {!isFree &&
                Object.entries(paymentLabels).map(([method, label]) => (
                  <button key={method} class="btn main" name="paid" value={method}>{label}</button>
                ))}
              <button class={isFree ? "btn main" : "btn"} name="paid" value="">
                {isFree ? "Add walk-in" : "Pay later"}
              </button>
              <Button to={`/departures/${id}`}>Cancel</Button>
            </p>
          </form>
        )
        : (
          <section class="card" aria-label="Walk-in">
            <EmptyNote>
              This departure does not accept walk-ins because it is full, it is canceled, it is on another day, or it
              started more than 1 hour ago.
            </EmptyNote>
          </section>
        )
    }
  },
  *submit({ form, id, now, org, run }) {
    const { offering, session_id, starts_at } = yield* run(dashboardDeparture, { id })
    const { pricing } = yield* run(offeringsGet, { id: offering.id })
    const { key = "", name = "", paid = "", quantity = "", unnamed = "" } = form
    if (!/^[1-9]\d?$/.test(quantity)) return yield* invalid("quantity: choose a number")
    const [rate, ...otherRates] = pricing?.rates ?? []
    const otherEntries = otherRates.flatMap(({ id }) => {
      const count = form[`rate-${id}`] ?? "0"
      return /^[1-9]\d?$/.test(count) ? [{ rate_id: id, quantity: Number(count) }] : []
    })
    const contact = name.trim()
    const booking = yield* run(bookingsCreate, {
      offering_id: offering.id,
      ...(session_id === null ? { starts_at } : { session_id }),
      ...toParty(rate?.id, Number(quantity), otherEntries),
      walk_in: true,
      customer: isPhone(contact) ? { phone: contact } : { name: contact || unnamed },
      idempotency_key: key
    })
    // Every step is idempotent, so submitting the form again completes the remaining steps and changes nothing else.
    const isPaid = isPaymentMethod(paid) && booking.due_cents > 0
    if (isPaid) {
      yield* run(paymentsRecord, {
        id: booking.id,
        method: paid,
        amount_cents: booking.due_cents,
        idempotency_key: key
      })
    }
    if (isCheckInOpen(booking, now, org.timezone)) yield* run(bookingsCheckIn, { id: booking.id })
    return redirectTo(`/departures/${id}`, isPaid ? "walked_in_paid" : "walked_in")
  }
})

const isPaymentMethod = (method: string): method is keyof typeof paymentLabels => Object.hasOwn(paymentLabels, method)

/** Returns the party, or only the quantity for an offering without rates. */
const toParty = (
  rate_id: string | undefined,
  quantity: number,
  otherEntries: ReadonlyArray<{ readonly rate_id: string; readonly quantity: number }> = []
) => rate_id === undefined ? { quantity } : { party: [{ rate_id, quantity }, ...otherEntries] }

const isPhone = (text: string): boolean => /^\+?[\d\s().-]{5,40}$/.test(text)
