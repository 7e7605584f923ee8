/** Prices: rates, extras, fees, deposits, and cancellation policies. */
export * from "./CancellationPolicy.ts"
export * from "./Pricing.ts"
export * from "./quote.ts"
export * from "./toChargeItems.ts"
