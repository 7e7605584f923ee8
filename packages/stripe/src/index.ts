/** Online payments for Trailbook with Stripe Checkout. */
export type { StripeOptions } from "./clients.ts"
export * as StripeProvider from "./StripeProvider.ts"
