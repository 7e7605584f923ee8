/** Check-in, no-show, and undo of a booking, on its page and in the list of a departure. */
import { checkInOpensAt, maxTapHours } from "@trailbook/core/booking/attendance/Attendance"
import {
  bookingsCheckIn,
  bookingsClearAttendance,
  bookingsMarkNoShow
} from "@trailbook/core/booking/attendance/attendanceOperations"
import type { BookingView } from "@trailbook/core/booking/BookingView"
import { isWithheld } from "@trailbook/core/payment/Payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import { isId } from "../../isId.ts"
import { Hidden } from "../../ui/Field.tsx"
import { Link } from "../kit/elements.tsx"
import { page } from "../kit/page.tsx"
import { usePage } from "../Page.ts"
import { guestName, partyText, paymentText, StatusTag } from "./facts.tsx"

/** Whether guests of this start can be checked in now. Afterwards, attendance is kept but no longer offered. */
export const isCheckInOpen = (
  { starts_at }: Pick<BookingView, "starts_at">,
  now: string,
  timezone: string
): boolean => {
  const [startsAt, at] = [Instant.parse(starts_at), Instant.parse(now)]
  return startsAt !== undefined && at !== undefined && at >= checkInOpensAt({ startsAt }, Zone.get(timezone)) &&
    at <= Instant.addMinutes(startsAt, maxTapHours * 60)
}

interface Props {
  readonly booking: BookingView
  /** The departure whose page contains the buttons. Default: the page of the booking. */
  readonly departure?: string | undefined
}

const Tap = ({ arrived, booking: { id }, children, departure, kind, label, look }: Props & {
  readonly kind: "checked_in" | "no_show" | "cleared"
  readonly arrived?: number
  readonly look?: "main"
  /** The accessible name, because a list repeats the buttons for each guest. */
  readonly label: string
  readonly children: string
}) => (
  <form method="post" action={usePage().site.link(`/dashboard/bookings/${id}/attendance`)} data-once="">
    <Hidden values={{ kind, arrived, departure }} />
    <button class={look === undefined ? "btn" : `btn ${look}`} aria-label={label}>{children}</button>
  </form>
)

/** The attendance of a confirmed booking with its buttons. */
export const AttendanceButtons = (props: Props) => {
  const { format, now } = usePage()
  const { attendance, customer, quantity, starts_at } = props.booking
  const name = guestName(customer)
  const all = format.number(quantity)
  const checkIn = (
    <Tap {...props} kind="checked_in" look="main" label={`Check in ${name}, ${all}`}>{`Check in ${all}`}</Tap>
  )
  if (attendance === null) {
    return (
      <div class="taps">
        {starts_at <= now && <Tap {...props} kind="no_show" label={`Mark ${name} as no-show`}>No-show</Tap>}
        {checkIn}
      </div>
    )
  }
  const { arrived, status } = attendance
  const isIn = status === "checked_in"
  return (
    <div class="taps">
      <Tap {...props} kind="cleared" label={`Undo: ${name}`}>Undo</Tap>
      {isIn && arrived > 1 && (
        <Tap {...props} kind="checked_in" arrived={arrived - 1} label={`One less: ${name}`}>−</Tap>
      )}
      <span class={isIn ? "tag ok" : "tag"}>
        {isIn ? `${format.number(arrived)} of ${all} arrived` : "No-show"}
      </span>
      {isIn && arrived < quantity && (
        <Tap {...props} kind="checked_in" arrived={arrived + 1} label={`One more: ${name}`}>+</Tap>
      )}
      {!isIn && checkIn}
    </div>
  )
}

/** The guests of a departure at the put-in: one row per booking. */
export const Arrivals = ({ bookings, departure }: {
  readonly bookings: ReadonlyArray<BookingView>
  readonly departure: string
}) => {
  const { format, now } = usePage()
  return (
    <ul class="rows parties">
      {bookings.map((booking) => {
        const { customer, id, notes, offering, quantity, reference, status } = booking
        return (
          <li key={id} id={`party-${id}`}>
            <div class="grow">
              <Link to={`/bookings/${id}`} dir="auto">
                <b>{guestName(customer)}</b>
              </Link>
              {(status !== "confirmed" || isWithheld(booking.dispute)) && <StatusTag booking={booking} now={now} />}
              <p class="soft small">
                {partyText(format, offering.kind, quantity)} · {paymentText(format, booking)} · <code>{reference}</code>
              </p>
              {notes !== "" && <p class="small words" dir="auto">{notes}</p>}
            </div>
            {customer.phone !== "" && (
              <a
                class="btn"
                href={`tel:${customer.phone.replaceAll(/[^+\d]/g, "")}`}
                aria-label={`Call ${guestName(customer)}`}
              >
                {customer.phone}
              </a>
            )}
            {status === "confirmed" && <AttendanceButtons booking={booking} departure={departure} />}
          </li>
        )
      })}
    </ul>
  )
}

const operations = {
  checked_in: bookingsCheckIn,
  no_show: bookingsMarkNoShow,
  cleared: bookingsClearAttendance
} as const

export const attendance = page("/bookings/:id/attendance", {
  submit: ({ form: { arrived, at, departure = "", kind }, id, run }) => {
    const input = { id, ...at === undefined ? {} : { at } }
    const recorded = kind === "no_show" || kind === "cleared"
      ? run(operations[kind], input)
      : run(bookingsCheckIn, { ...input, ...arrived === undefined ? {} : { arrived: Number(arrived) } })
    return Effect.as(
      recorded,
      isId(departure) ? `/dashboard/departures/${departure}#party-${id}` as const : `/dashboard/bookings/${id}` as const
    )
  }
})
