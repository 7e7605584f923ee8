import type { OfferingKind } from "./Offering.ts"

/** Formats a quantity, such as `2 guests`, `Party of 4`, or `1 item`. */
export const formatQuantity = (kind: OfferingKind, quantity: number): string => {
  switch (kind) {
    case "class":
      return quantity === 1 ? "1 guest" : `${quantity} guests`
    case "appointment":
      return quantity === 1 ? "1 person" : `Party of ${quantity}`
    case "rental":
      return quantity === 1 ? "1 item" : `${quantity} items`
  }
}
