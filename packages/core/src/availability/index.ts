/** An offering's availability: start times with remaining capacity, and the reasons if there are none. */
export * from "./availabilityOperations.ts"
export * from "./AvailabilityView.ts"
export * from "./explainNoSlots.ts"
