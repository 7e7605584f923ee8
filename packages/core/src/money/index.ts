/** Amounts and currencies. */
export * from "./Currency.ts"
