/** Check-in, no-show, and undo for a booking, on the booking page and in a departure's guest list. */
import {
  bookingsCheckIn,
  bookingsClearAttendance,
  bookingsMarkNoShow,
  type BookingView,
  getCheckInOpenTime,
  maxAttendanceAgeHours
} from "@trailbook/core/booking"
import { isMoneyWithheld } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { isUuid } from "../../operationCaller.ts"
import { Button, HiddenFields, Icon, Link } from "../kit/elements.tsx"
import { page, redirectTo, usePage } from "../kit/page.tsx"
import { formatPaymentState, formatQuantity, getGuestName, StatusTag } from "./bookingText.tsx"

/**
 * Whether guests can be checked in for this start time now. After check-in closes, the attendance is kept but its
 * controls are hidden.
 */
export const isCheckInOpen = (
  { starts_at }: Pick<BookingView, "starts_at">,
  now: string,
  timezone: string
): boolean => {
  const [startsAt, at] = [Instant.parse(starts_at), Instant.parse(now)]
  return startsAt !== undefined && at !== undefined && at >= getCheckInOpenTime({ startsAt }, Zone.get(timezone)) &&
    at <= Instant.addMinutes(startsAt, maxAttendanceAgeHours * 60)
}

type Tap = "no_show" | number

/** Returns the tap that produces a booking's current attendance: the number of people who arrived, or `no_show`. */
const toTap = ({ attendance }: BookingView): Tap =>
  attendance?.status === "no_show" ? "no_show" : attendance?.arrived ?? 0

/** Returns the attributes for the script that shows taps before they are sent. */
const toTapAttributes = (booking: BookingView) => ({ "data-tap": toTap(booking), "data-party": booking.quantity })

/**
 * The controls for a confirmed booking, in an element with the attributes from {@link toTapAttributes}. All controls
 * are rendered in every state, so that `client/parts/attendanceTaps.ts` can show the next state offline. `departure` is
 * the page that the form returns to. Default: the booking page.
 */
const TapControls = ({ booking, children, departure }: {
  readonly booking: BookingView
  readonly departure?: string
  readonly children?: ComponentChildren
}) => {
  const { format, now, site } = usePage()
  const { customer, id, quantity, starts_at } = booking
  const tap = toTap(booking)
  const arrivedCount = tap === "no_show" ? 0 : tap
  const state = tap === "no_show" ? tap : tap === 0 ? "expected" : "in"
  const name = getGuestName(customer)
  const total = format.number(quantity)
  const form = `tap-${id}`
  const toVisibility = (states: string, from = "") => ({
    "data-when": states,
    "data-from": from,
    hidden: !states.split(" ").includes(state) || from > now
  })
  const toButtonProps = (value: Tap, label: string) => ({ form, value, name: "tap", class: "btn", "aria-label": label })
  return (
    <>
      <form id={form} class="taps" method="post" action={site.link(`/dashboard/bookings/${id}/attendance`)}>
        <HiddenFields values={{ departure }} />
        <button
          {...toButtonProps(quantity, `Check in ${total}: ${name}`)}
          class="btn main"
          {...toVisibility("expected no_show")}
        >
          {`Check in ${total}`}
        </button>
        <span class="stepper" {...toVisibility("in")}>
          <button {...toButtonProps(arrivedCount - 1, `Remove one arrival: ${name}`)} data-step="-1">−</button>
          <output class="num">{`${format.number(arrivedCount)} of ${total}`}</output>
          <button
            {...toButtonProps(arrivedCount + 1, `Add one arrival: ${name}`)}
            data-step="1"
            disabled={arrivedCount >= quantity}
          >
            +
          </button>
        </span>
      </form>
      <div class="more">
        {children}
        <button {...toButtonProps("no_show", `No-show: ${name}`)} {...toVisibility("expected", starts_at)}>
          No-show
        </button>
        <span class="tag" {...toVisibility("no_show")}>No-show</span>
        <button {...toButtonProps(0, `Undo: ${name}`)} {...toVisibility("no_show")}>Undo</button>
        <output class="tag warn" data-waiting="Waiting to send" hidden />
        <button type="button" class="btn" data-dismiss="" aria-label={`Dismiss: ${name}`} hidden>Dismiss</button>
      </div>
    </>
  )
}

/** A confirmed booking's attendance, on the booking page. */
export const ArrivalControls = ({ booking }: { readonly booking: BookingView }) => (
  <div class="more" {...toTapAttributes(booking)}>
    <TapControls booking={booking} />
  </div>
)

/** The number of guests who have arrived for a departure, such as `52 of 70`. The script adds the waiting taps. */
export const ArrivedCount = ({ bookings }: { readonly bookings: ReadonlyArray<BookingView> }) => {
  const { format } = usePage()
  const confirmedBookings = bookings.filter(({ status }) => status === "confirmed")
  const formatSum = (getCount: (booking: BookingView) => number) =>
    format.number(confirmedBookings.reduce((total, booking) => total + getCount(booking), 0))
  return (
    <output data-arrived="">
      {`${formatSum(({ attendance }) => attendance?.arrived ?? 0)} of ${formatSum(({ quantity }) => quantity)}`}
    </output>
  )
}

/** A departure's guests at the put-in, with one row per booking. */
export const ArrivalList = ({ bookings, departure }: {
  readonly bookings: ReadonlyArray<BookingView>
  readonly departure: string
}) => {
  const { format, now } = usePage()
  return (
    <ul class="rows">
      {bookings.map((booking) => {
        const { customer, due_cents: due, id, notes, offering, quantity, reference, status } = booking
        const isExpected = status === "confirmed"
        const callLink = customer.phone !== "" && (
          <a
            class="btn"
            href={`tel:${customer.phone.replaceAll(/[^+\d]/g, "")}`}
            aria-label={`Call ${getGuestName(customer)}: ${customer.phone}`}
          >
            <Icon name="phone" />
            {customer.phone}
          </a>
        )
        return (
          <li key={id} id={`party-${id}`} class="party" {...isExpected && toTapAttributes(booking)}>
            <div>
              <Link to={`/bookings/${id}`} dir="auto">
                <b>{getGuestName(customer)}</b>
              </Link>
              {(!isExpected || isMoneyWithheld(booking.dispute)) && <StatusTag booking={booking} now={now} />}
              <p class="soft small">
                {formatQuantity(format, offering.kind, quantity)} · {formatPaymentState(format, booking)} ·{" "}
                <code>{reference}</code>
              </p>
              {notes !== "" && <p class="small words" dir="auto">{notes}</p>}
            </div>
            {isExpected
              ? (
                <TapControls booking={booking} departure={departure}>
                  {callLink}
                  {due > 0 && (
                    <Button
                      to={`/bookings/${id}/payments/new`}
                      aria-label={`Collect ${format.money(due)}: ${getGuestName(customer)}`}
                    >
                      {`Collect ${format.money(due)}`}
                    </Button>
                  )}
                </TapControls>
              )
              : <div class="more">{callLink}</div>}
          </li>
        )
      })}
    </ul>
  )
}

export const attendancePage = page("/bookings/:id/attendance", {
  submit: ({ form: { at, departure = "", tap }, id, run }) => {
    const input = { id, at }
    const update = tap === "no_show"
      ? run(bookingsMarkNoShow, input)
      : tap === "0"
      ? run(bookingsClearAttendance, input)
      : run(bookingsCheckIn, { ...input, arrived: Number(tap) })
    return Effect.as(update, redirectTo(isUuid(departure) ? `/departures/${departure}#party-${id}` : `/bookings/${id}`))
  }
})
