import type { OfferingView } from "@trailbook/core/offering"
import type { Format } from "../../text/Format.ts"

type PricedOffering = Pick<OfferingView, "duration_minutes" | "kind" | "price_cents">

/** Returns the price per unit, along with the unit. */
export const priceText = (format: Format, { duration_minutes, kind, price_cents }: PricedOffering): string => {
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
