/**
 * What a booking costs: a class by the seat, an appointment by
 * the booking, a rental by the item and period. Decided once, at booking time,
 * and kept for good.
 */

/**
 * The total in cents of the org's currency. Whole numbers only, so nothing is
 * ever rounded; the bounds of the factors keep it below 2^53.
 *
 * @category calculating
 */
export const totalPrice = (of: {
  readonly kind: "class" | "appointment" | "rental"
  readonly priceCents: number
  readonly quantity: number
  readonly periods: number
}): number => {
  switch (of.kind) {
    case "class":
      return of.priceCents * of.quantity
    case "appointment":
      return of.priceCents
    case "rental":
      return of.priceCents * of.quantity * of.periods
  }
}
