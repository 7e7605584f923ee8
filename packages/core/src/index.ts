/**
 * Trailbook's domain, which consists of models, rules, ports, and operations.
 *
 * Every concept has its own module, such as `@trailbook/core/booking/Booking`. There is no barrel, so a program loads
 * only what it uses.
 */
export * from "./Refusal.ts"
