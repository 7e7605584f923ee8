/**
 * The transitions of a session. It expires 14 days after its last use. A use is recorded at most once an hour.
 *
 * | state            | Use                   | End   |
 * |------------------|-----------------------|-------|
 * | open             | recorded once an hour | ended |
 * | expired or ended | unauthorized          | –     |
 */
import * as Either from "effect/Either"
import type { Decider } from "../../Decider.ts"
import { type Refusal, refuse } from "../../Refusal.ts"
import * as Instant from "../../time/Instant.ts"
import { sessionDays, type StaffSession } from "./StaffSession.ts"

export type StaffSessionCommand =
  | { readonly _tag: "Use"; readonly now: Instant.Instant }
  | { readonly _tag: "End"; readonly now: Instant.Instant }

export type StaffSessionEvent =
  | { readonly _tag: "login.used"; readonly at: Instant.Instant }
  | { readonly _tag: "login.ended"; readonly at: Instant.Instant }

export const staffSessionDecider: Decider<
  StaffSession,
  StaffSessionCommand,
  StaffSessionEvent,
  { Use: Refusal<"unauthorized">; End: never }
> = {
  decide: {
    Use: (login, { now }) => {
      if (!isOpen(login, now)) return Either.left(refuse("unauthorized", "Sign in first."))
      return Either.right(now - login.lastUsedAt < hourMs ? [] : [{ _tag: "login.used", at: now }])
    },
    End: (login, { now }) => Either.right(isOpen(login, now) ? [{ _tag: "login.ended", at: now }] : [])
  },
  evolve: (login, event) =>
    event._tag === "login.ended"
      ? { ...login, endedAt: event.at }
      : { ...login, lastUsedAt: event.at, expiresAt: sessionExpiry(event.at) }
}

/** Whether the session is valid. */
export const isOpen = ({ endedAt, expiresAt }: StaffSession, now: Instant.Instant): boolean =>
  endedAt === null && now < expiresAt

/** When a session expires that is used at this time. */
export const sessionExpiry = (at: Instant.Instant): Instant.Instant => Instant.addMinutes(at, sessionDays * 24 * 60)

const hourMs = 3_600_000
