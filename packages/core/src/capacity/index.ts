/** Capacity: how many seats or items bookings occupy at a time. */
export * from "./claims.ts"
