/**
 * The state machine for a session. A repeated cancellation or update changes nothing. A canceled session cannot be
 * updated. The start can change only while the session has no booked seats, because booked guests already know the
 * start.
 */
import * as Either from "effect/Either"
import { type Decider, hasChanges } from "../Decider.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Session } from "./Session.ts"

export type SessionPatch = Partial<Pick<Session, "capacity" | "startsAt" | "endsAt" | "notes">>

export type SessionCommand =
  | { readonly _tag: "Schedule" }
  | { readonly _tag: "Update"; readonly patch: SessionPatch; readonly booked: number }
  | { readonly _tag: "Cancel" }

export type SessionEvent =
  | { readonly _tag: "session.created" }
  | { readonly _tag: "session.updated"; readonly patch: SessionPatch }
  | { readonly _tag: "session.cancelled" }

type Decisions = Decider<Session, SessionCommand, SessionEvent, {
  Schedule: never
  Update: Refusal<"session_cancelled" | "has_bookings">
  Cancel: never
}>

const decide: Decisions["decide"] = {
  Schedule: () => Either.right([{ _tag: "session.created" }]),
  Update: (session, { booked, patch }) => {
    if (session.status === "cancelled") return Either.left(refuse("session_cancelled"))
    const isMoved = patch.startsAt !== undefined && patch.startsAt !== session.startsAt
    if (isMoved && booked > 0) return Either.left(refuse("has_bookings", 0, 0, booked))
    return Either.right(hasChanges(session, patch) ? [{ _tag: "session.updated", patch }] : [])
  },
  Cancel: (session) => Either.right(session.status === "cancelled" ? [] : [{ _tag: "session.cancelled" }])
}

const evolve = (session: Session, event: SessionEvent): Session => {
  switch (event._tag) {
    case "session.created":
      return session
    case "session.updated":
      return { ...session, ...event.patch }
    case "session.cancelled":
      return { ...session, status: "cancelled" }
  }
}

export const sessionDecider: Decisions = { decide, evolve }
