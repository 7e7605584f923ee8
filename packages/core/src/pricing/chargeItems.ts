/**
 * Splits a charge into the items that a checkout shows to the guest. They add up to the charge. Providers reject
 * negative items, so every item is positive.
 */
import { formatAmount } from "../money/formatAmount.ts"
import type { Line } from "./Pricing.ts"
import { spreadAmount } from "./quote.ts"

export interface ChargeItem {
  readonly name: string
  readonly quantity: number
  /** The unit price. */
  readonly cents: number
  /** A description, or an empty string. */
  readonly details: string
}

/**
 * Returns one item per rate, extra, fee, and adjustment, after its discount. Negative adjustments lower the other items
 * in proportion. If the charge differs from the price, as it does for a deposit, there is a single item, and its
 * details show the price.
 */
export const chargeItems = (
  lines: ReadonlyArray<Line>,
  { cents, currency, description }: { readonly cents: number; readonly currency: string; readonly description: string }
): ReadonlyArray<ChargeItem> => {
  // The lines already contain their discounts, so the discount line is skipped.
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
  const shares = spreadAmount(sold.reduce((sum, { net }) => sum + net, 0) - total, sold.map(({ net }) => net))
  return sold.flatMap(({ name, net, quantity }, at) => {
    const left = net - (shares[at] ?? 0)
    if (left === 0) return []
    // A unit price with a fraction of a cent cannot be charged, so one item contains the sum.
    return left % quantity === 0
      ? [{ name, quantity, cents: left / quantity, details: "" }]
      : [{ name: `${quantity} × ${name}`, quantity: 1, cents: left, details: "" }]
  })
}
