/**
 * The total price of a booking in cents of the org's currency: per seat for a class, per booking for an appointment, per
 * item and period for a rental. It is computed when the booking is created and never changes. All factors are integers,
 * and their bounds keep the product below 2^53.
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
