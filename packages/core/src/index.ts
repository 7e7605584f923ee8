/**
 * The domain of Trailbook: models, rules, ports and operations.
 *
 * Every concept is a module of its own, `@trailbook/core/booking/Booking` and so
 * on; there is no barrel, so a program loads what it uses.
 *
 * @since 0.1.0
 */
export * from "./Refusal.ts"
