/**
 * Splits a charge into the items that a checkout shows to the guest. They add up to the charge. Providers reject
 * negative items, so every item is positive.
 */
import { formatAmount } from "../money/Currency.ts"
import type { PriceLine } from "./Pricing.ts"
import { allocateAmount } from "./quote.ts"

export interface ChargeItem {
  readonly name: string
  readonly quantity: number
  /** The unit price. */
  readonly cents: number
  /** A description, or an empty string. */
  readonly details: string
}

/**
 * Returns one item per rate, extra, fee, and adjustment, with discounts applied. Negative adjustments lower the other
 * items proportionally. If the charge differs from the price, as it does for a deposit, returns a single item whose
 * details show the price.
 */
export const toChargeItems = (
  lines: ReadonlyArray<PriceLine>,
  { cents, currency, description }: { readonly cents: number; readonly currency: string; readonly description: string }
): ReadonlyArray<ChargeItem> => {
  // The lines already contain their discounts, so the discount line is skipped.
  const items = lines.filter(({ included, kind }) => !included && kind !== "discount")
    .map(({ discount_cents, name, quantity, total_cents }) => ({ name, quantity, net: total_cents - discount_cents }))
  const pricedItems = items.filter(({ net }) => net > 0)
  const total = items.reduce((sum, { net }) => sum + net, 0)
  if (total !== cents || pricedItems.length === 0) {
    const parts = items.map(({ name, quantity }) => `${quantity} × ${name}`).join(", ")
    return [{
      name: description,
      quantity: 1,
      cents,
      details: parts === "" ? "" : `${parts}: ${formatAmount(total, currency)}`.slice(0, 500)
    }]
  }
  const shares = allocateAmount(
    pricedItems.reduce((sum, { net }) => sum + net, 0) - total,
    pricedItems.map(({ net }) => net)
  )
  return pricedItems.flatMap(({ name, net, quantity }, at) => {
    const itemCents = net - (shares[at] ?? 0)
    if (itemCents === 0) return []
    // A unit price with a fraction of a cent cannot be charged, so a single item covers the total.
    return itemCents % quantity === 0
      ? [{ name, quantity, cents: itemCents / quantity, details: "" }]
      : [{ name: `${quantity} × ${name}`, quantity: 1, cents: itemCents, details: "" }]
  })
}
