import type { OfferingView } from "@trailbook/core/offering"
import type { OfferingKind } from "@trailbook/core/offering/Offering"
import type { Format } from "../../text/Format.ts"

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

export const isOfferingKind = (text: string | undefined): text is OfferingKind =>
  text !== undefined && Object.hasOwn(offeringKindTexts, text)

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
