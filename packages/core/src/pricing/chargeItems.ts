/**
 * The items of a checkout, which the provider shows to the guest. Their amounts sum to the charge, and all are positive,
 * because providers reject negative items.
 */
import { formatAmount } from "../money/formatAmount.ts"
import type { Line } from "./Pricing.ts"
import { spread } from "./quote.ts"

export interface ChargeItem {
  readonly name: string
  readonly quantity: number
  /** The price of one unit. */
  readonly cents: number
  /** Empty if there are none. */
  readonly details: string
}

/**
 * Lists the rates, extras, fees, and adjustments of a price, less the discount of each. Negative adjustments lower all
 * items in proportion. A charge of another amount than the price, such as a deposit, is one item, whose details contain
 * the price.
 */
export const chargeItems = (
  lines: ReadonlyArray<Line>,
  { cents, currency, description }: { readonly cents: number; readonly currency: string; readonly description: string }
): ReadonlyArray<ChargeItem> => {
  // The discount line is the sum of the discounts of the others.
  const added = lines.filter(({ included, kind }) => !included && kind !== "discount")
    .map(({ discount_cents, name, quantity, total_cents }) => ({ name, quantity, net: total_cents - discount_cents }))
  const sold = added.filter(({ net }) => net > 0)
  const total = added.reduce((sum, { net }) => sum + net, 0)
  if (total !== cents || sold.length === 0) {
    const parts = added.map(({ name, quantity }) => `${quantity} × ${name}`).join(", ")
    return [{
      name: description,
      quantity: 1,
      cents,
      details: parts === "" ? "" : `${parts}: ${formatAmount(total, currency)}`.slice(0, 500)
    }]
  }
  const shares = spread(sold.reduce((sum, { net }) => sum + net, 0) - total, sold.map(({ net }) => net))
  return sold.flatMap(({ name, net, quantity }, at) => {
    const left = net - (shares[at] ?? 0)
    if (left === 0) return []
    // Of a unit price with a fraction of a cent, only the sum can be charged.
    return left % quantity === 0
      ? [{ name, quantity, cents: left / quantity, details: "" }]
      : [{ name: `${quantity} × ${name}`, quantity: 1, cents: left, details: "" }]
  })
}
