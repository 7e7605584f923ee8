/**
 * Refusals: the errors that operations return.
 *
 * Every concept has its own entry module, such as `@trailbook/core/booking`, so a program loads only what it uses.
 */
export * from "./Refusal.ts"
export * from "./refusals.ts"
