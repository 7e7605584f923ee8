/** Sends webhooks over HTTP and encrypts their signing secrets. */
export { findNetworkError } from "./addresses.ts"
export * as HttpSender from "./HttpSender.ts"
export * as KeyRing from "./KeyRing.ts"
