/** The state machine of a session. Repeating a cancellation changes nothing. */
import * as Either from "effect/Either"
import type { Decider } from "../Decider.ts"
import type { Session } from "./Session.ts"

export type SessionCommand = { readonly _tag: "Schedule" } | { readonly _tag: "Cancel" }

export type SessionEvent = { readonly _tag: "session.created" } | { readonly _tag: "session.cancelled" }

type Decisions = Decider<Session, SessionCommand, SessionEvent, { Schedule: never; Cancel: never }>

const decide: Decisions["decide"] = {
  Schedule: () => Either.right([{ _tag: "session.created" }]),
  Cancel: (session) => Either.right(session.status === "cancelled" ? [] : [{ _tag: "session.cancelled" }])
}

const evolve = (session: Session, event: SessionEvent): Session => {
  switch (event._tag) {
    case "session.created":
      return session
    case "session.cancelled":
      return { ...session, status: "cancelled" }
  }
}

export const sessionDecider: Decisions = { decide, evolve }
