/** Departures with a fixed time, and the weekly times that create them. */
export * from "./Session.ts"
export * from "./sessionOperations.ts"
export * from "./SessionStore.ts"
export * from "./SessionView.ts"
export * from "./weeklyStarts.ts"
