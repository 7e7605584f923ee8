/** Amounts and currencies. */
export * from "./Currency.ts"
export * from "./currencyDecimals.ts"
export * from "./formatAmount.ts"
