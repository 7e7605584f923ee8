/**
 * The domain of Trailbook: models, rules, ports and operations.
 *
 * Every concept is a module of its own, `@trailbook/core/booking/Booking` and so
 * on; there is no barrel, so a program loads what it uses.
 */
export * from "./Refusal.ts"
