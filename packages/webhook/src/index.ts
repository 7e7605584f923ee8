/** Trailbook webhooks over HTTP: the sender, and the keys that encrypt signing secrets. */
export { networkError } from "./addresses.ts"
export * as HttpSender from "./HttpSender.ts"
export * as KeyRing from "./KeyRing.ts"
