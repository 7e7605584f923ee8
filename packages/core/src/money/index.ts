/** Amounts and currencies. */
export * from "./Currency.ts"
export * from "./formatAmount.ts"
