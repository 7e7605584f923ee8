/** Availability of an offering: times with free places, and the reasons if there are none. */
export * from "./availabilityOperations.ts"
export * from "./AvailabilityView.ts"
export * from "./explainNoSlots.ts"
