import type { DepartureView } from "@trailbook/core/operation/departureOperations"
import type { DeskShown } from "../View.ts"

/**
 * `7 of 12`, and that it is full or that some of it is only held: never by a color alone.
 *
 * @category formatting
 */
export const bookedOf = ({ format: { number } }: Pick<DeskShown, "format">, departure: DepartureView): string => {
  const { booked, capacity, held, status } = departure
  if (status === "cancelled") return "Cancelled"
  const full = booked >= capacity ? ", full" : ""
  return `${number(booked)} of ${number(capacity)}${full}${held === 0 ? "" : `, ${number(held)} held`}`
}

/**
 * @category views
 */
export const DepartureRow = ({ departure, named, shown }: {
  readonly shown: DeskShown
  readonly departure: DepartureView
  /** Who comes. */
  readonly named: string | undefined
}) => {
  const { format, site } = shown
  const { booked, capacity, id, offering, starts_at } = departure
  const text = bookedOf(shown, departure)
  return (
    <li>
      <a class="row departs" href={site.link(`/dashboard/departures/${id}`)}>
        <span class="num">
          <b>{format.time(starts_at)}</b>
          <small class="soft">{format.day(starts_at)}</small>
        </span>
        <span class="grow">
          <b class="clip" dir="auto">{offering.name}</b>
          {named !== undefined && <span class="clip soft small" dir="auto">{named}</span>}
        </span>
        <span class="small num">
          {text}
          <progress class="meter" max={Math.max(1, capacity)} value={Math.min(booked, capacity)} aria-hidden="true" />
        </span>
      </a>
    </li>
  )
}
