/**
 * Trailbook webhooks over HTTP: the way out, and the keys that signing secrets are
 * kept under.
 */
export { networkError } from "./addresses.ts"
export * as HttpSender from "./HttpSender.ts"
export * as KeyRing from "./KeyRing.ts"
