/** Takes online payments with Stripe Checkout. */
export type { StripeOptions } from "./clients.ts"
export * as StripeProvider from "./StripeProvider.ts"
