/** A departure as a row, its occupancy, and the guests whom no message reached. */
import type { DepartureView, UnreachedGuestView } from "@trailbook/core/booking"
import type { ComponentChildren } from "preact"
import type { Format } from "../../text/Format.ts"
import { PhoneLink } from "../../ui/TripInfo.tsx"
import { Button, Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"

type Occupancy = Pick<DepartureView, "booked" | "capacity" | "held" | "status">

/**
 * Formats the occupancy, such as `7 of 12`. Adds `full` and the held seats as text, because color alone would not be
 * accessible.
 */
export const formatOccupancy = ({ number }: Pick<Format, "number">, departure: Occupancy): string => {
  const { booked, capacity, held, status } = departure
  if (status === "cancelled") return "Canceled"
  const full = booked >= capacity ? ", full" : ""
  return `${number(booked)} of ${number(capacity)}${full}${held === 0 ? "" : `, ${number(held)} held`}`
}

/**
 * The occupancy as text and as a bar. Assistant views show this component without a page context, so they pass the
 * format.
 */
export const OccupancyBar = (
  { departure, format }: { readonly departure: Occupancy; readonly format: Pick<Format, "number"> }
) => {
  const { booked, capacity } = departure
  return (
    <>
      {formatOccupancy(format, departure)}
      <progress class="meter" max={Math.max(1, capacity)} value={Math.min(booked, capacity)} aria-hidden="true" />
    </>
  )
}

/** A departure with its time, name, and occupancy. `children` follow the name, and `load` replaces the occupancy. */
export const DepartureRow = ({ children, departure, hasDay = true, load, takesWalkIns = false }: {
  readonly departure: DepartureView
  readonly hasDay?: boolean
  readonly load?: ComponentChildren
  /** Whether the row has a button that adds a walk-in. */
  readonly takesWalkIns?: boolean
  readonly children?: ComponentChildren
}) => {
  const { format } = usePage()
  const { id, offering, starts_at } = departure
  return (
    <li class={takesWalkIns ? "with-act" : undefined}>
      <Link class="row departs" to={`/departures/${id}`}>
        <span class="num">
          <b>{format.time(starts_at)}</b>
          {hasDay && <small class="soft">{format.day(starts_at)}</small>}
        </span>
        <span class="grow">
          <b class="clip" dir="auto">{offering.name}</b>
          {children}
        </span>
        <span class="small num">{load ?? <OccupancyBar format={format} departure={departure} />}</span>
      </Link>
      {takesWalkIns && (
        <Button
          to={`/departures/${id}/walk-in`}
          icon="plus"
          aria-label={`Walk-in, ${offering.name}, ${format.time(starts_at)}`}
        >
          <span class="wide">Walk-in</span>
        </Button>
      )}
    </li>
  )
}

interface UnreachedGuest {
  readonly guests: ReadonlyArray<UnreachedGuestView>
  /** Whether to list each guest with the activity and start time. */
  readonly hasTrip: boolean
}

/** Guests who did not receive a message, with their phone numbers. */
export const UnreachedGuests = (props: UnreachedGuest) => (
  <div class="note wrong">
    <UnreachedGuestList {...props} />
  </div>
)

/** The list of unreached guests, without the frame of {@link UnreachedGuests}. */
export const UnreachedGuestList = ({ guests, hasTrip }: UnreachedGuest) => {
  const { format } = usePage()
  return (
    <>
      <p>
        <b>
          {guests.length === 1
            ? "The guest on 1 booking could not be reached."
            : `The guests on ${format.number(guests.length)} bookings could not be reached.`}
        </b>{" "}
        Emails were not delivered. Call these guests.
      </p>
      <ul class="bullets">
        {guests.map(({ booking_id, email, failure, name, offering, phone, quantity, starts_at, status }) => (
          <li key={booking_id}>
            <Link to={`/bookings/${booking_id}`} dir="auto">{name || email || phone}</Link>
            {", "}
            {phone === ""
              ? "no phone number"
              : <PhoneLink phone={phone} />}
            {` · ${quantity === 1 ? "1 guest" : `${format.number(quantity)} guests`}`}
            {status === "cancelled" && " · booking canceled"}
            {hasTrip && <span dir="auto">{` · ${offering}, ${format.moment(starts_at)}`}</span>}
            <br />
            <span class="small" dir="auto">
              {email === "" ? "No email address" : `${email}: ${failure ?? "an earlier email failed"}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
