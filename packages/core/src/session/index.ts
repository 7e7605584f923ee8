/** Departures with a fixed time, and the weekly times that create them. */
export * from "./Session.ts"
export * from "./sessionOperations.ts"
export * from "./sessionPlan.ts"
