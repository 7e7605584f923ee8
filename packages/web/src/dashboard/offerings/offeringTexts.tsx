/**
 * An offering's kind, price, and bookability as text. Bookability is its next start time, or why it has none, with a
 * fix.
 */
import { availabilityGet, type NoSlotsReason, type SlotView } from "@trailbook/core/availability"
import { offeringsList, type OfferingView } from "@trailbook/core/offering"
import type { OfferingKind } from "@trailbook/core/offering/Offering"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import type { Format } from "../../text/Format.ts"
import { Link } from "../kit/elements.tsx"
import { type PageContext, usePage } from "../Page.ts"

/** The text for each kind of offering. */
export const offeringKindTexts: {
  readonly [Of in OfferingKind]: {
    readonly name: string
    readonly words: string
    readonly example: string
    readonly length: string
    readonly capacity: string
    readonly most: string
    readonly price: string
  }
} = {
  class: {
    name: "Departures with seats",
    words: "You schedule departures. Guests book seats.",
    example: "Raft trips, guided tours, courses",
    length: "Duration",
    capacity: "Seats per departure",
    most: "Maximum seats per booking",
    price: "Price per seat"
  },
  appointment: {
    name: "By appointment",
    words: "You set weekly hours. Guests choose a start time for their own party.",
    example: "Private guides, lessons, charters",
    length: "Duration",
    capacity: "Maximum bookings at the same time",
    most: "Maximum people per booking",
    price: "Price per booking"
  },
  rental: {
    name: "Rental",
    words: "You set weekly hours and the number of items. Guests rent items for one or more periods.",
    example: "Kayaks, bikes, skis",
    length: "Rental period",
    capacity: "Number of items",
    most: "Maximum items per booking",
    price: "Price per item per period"
  }
}

/** The label of a quantity for each kind of offering. */
export const quantityLabels = { class: "Seats", appointment: "People", rental: "Items" } as const

export const isOfferingKind = (text: string | undefined): text is OfferingKind =>
  text !== undefined && Object.hasOwn(offeringKindTexts, text)

/** Loads the IDs and names of the offerings, for the options of a field. */
export const loadOfferingNames = ({ run }: Pick<PageContext, "run">, limit: number) =>
  Effect.map(run(offeringsList, { limit }), ({ data }) => data.map(({ id, name }) => [id, name] as const))

type PricedOffering = Pick<OfferingView, "duration_minutes" | "kind" | "price_cents">

/** Returns the price with its unit, such as `$45 per seat`. */
export const formatUnitPrice = (format: Format, { duration_minutes, kind, price_cents }: PricedOffering): string => {
  if (price_cents === 0) return "Free"
  const amount = format.money(price_cents)
  switch (kind) {
    case "class":
      return `${amount} per seat`
    case "appointment":
      return `${amount} per booking`
    case "rental":
      return `${amount} for ${format.length(duration_minutes)}`
  }
}

export type Bookability =
  | { readonly is: "paused" }
  | { readonly is: "bookable"; readonly next: SlotView }
  | { readonly is: "closed"; readonly because: NoSlotsReason }

export const loadBookability = (
  { clock: { today }, run }: Pick<PageContext, "clock" | "run">,
  { active, id }: Pick<OfferingView, "active" | "id">
) =>
  Effect.gen(function*() {
    if (!active) return paused
    const from = LocalDate.format(today)
    // An available start time is usually found within the next few days. The search for a reason covers a year and is
    // slower.
    const todayAvailability = yield* run(availabilityGet, { id, from, to: from })
    const next = todayAvailability.data.find(({ remaining }) => remaining > 0) ?? todayAvailability.nothing_free?.next
    if (next !== undefined) return makeBookable(next)
    const { data, nothing_free } = yield* run(availabilityGet, {
      id,
      from,
      to: LocalDate.format(LocalDate.addDays(today, 365))
    })
    const freeSlot = data.find(({ remaining }) => remaining > 0)
    return freeSlot === undefined ? makeClosed(nothing_free?.because ?? "full") : makeBookable(freeSlot)
  })

const paused: Bookability = { is: "paused" }
const makeBookable = (next: SlotView): Bookability => ({ is: "bookable", next })
const makeClosed = (reason: NoSlotsReason): Bookability => ({ is: "closed", because: reason })

const reasons: { readonly [Of in NoSlotsReason]: string } = {
  paused: "Paused",
  full: "Fully booked",
  notice: "Too late to book",
  horizon: "Booking not open yet",
  past: "All departures have started",
  nothing_scheduled: "No departures",
  too_long: "Hours too short",
  closed: "No weekly hours"
}

export const BookabilityTag = ({ of }: { readonly of: Bookability }) =>
  of.is === "paused"
    ? <span class="tag">Paused</span>
    : of.is === "bookable"
    ? <span class="tag ok">Open for booking</span>
    : <span class="tag warn">{reasons[of.because]}</span>

/** Shows an offering's bookability in one sentence, with a link to the fix. */
export const BookabilityText = ({ id, of }: { readonly of: Bookability; readonly id: string }) => {
  const { format } = usePage()
  const renderLink = (subpath: string, label: string) => <Link to={`/offerings/${id}${subpath}`}>{label}</Link>
  if (of.is === "paused") return <>Guests do not see this activity. Existing bookings do not change.</>
  if (of.is === "bookable") {
    return <>{`Next start: ${format.moment(of.next.starts_at)}.`}</>
  }
  switch (of.because) {
    case "nothing_scheduled":
    case "past":
      return <>No upcoming departure has seats left. {renderLink("/sessions/new", "Add departures")}.</>
    case "closed":
      return <>The activity has no opening hours. {renderLink("/hours", "Set weekly hours")}.</>
    case "too_long":
      return <>The duration exceeds the opening hours. {renderLink("/hours", "Change the hours")} or the duration.</>
    case "notice":
      return (
        <>
          All remaining start times are within the minimum notice. Lower the notice, or{" "}
          {renderLink("", "add departures")}.
        </>
      )
    case "horizon":
      return <>All start times are beyond the booking window. Increase the number of days ahead.</>
    default:
      return <>All start times are fully booked.</>
  }
}
