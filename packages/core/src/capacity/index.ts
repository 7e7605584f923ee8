/** Capacity: how many places or items bookings use at a time. */
export * from "./claims.ts"
export * from "./placeClock.ts"
