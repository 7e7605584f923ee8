/** Departures with a fixed time, and the weekly times that create them. */
export {
  type BookedSeats,
  type BookedSeatsQuery,
  type BookedSession,
  BookedSessionView,
  type Session,
  sessionEvents,
  type SessionStatus,
  sessionStatuses,
  SessionStore,
  SessionView,
  sessionView
} from "./Session.ts"
export * from "./sessionOperations.ts"
export * from "./sessionPlan.ts"
