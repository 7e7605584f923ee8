import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../../time/Instant.ts"
import type { SignInLink } from "./SignInLink.ts"
import type { StaffSession } from "./StaffSession.ts"

/**
 * Stores sign-in links and browser sessions. Links and sessions reference their org, and their digests are unique
 * across all orgs. A write that violates these rules fails as a defect. Links and sessions are looked up before the org
 * is known.
 */
export class StaffSessionStore extends Context.Tag("@trailbook/core/StaffSessionStore")<
  StaffSessionStore,
  {
    /** Inserts a link, or replaces the link with the same digest. */
    readonly putLink: (link: SignInLink) => Effect.Effect<void>
    /** Finds a link and locks it until the transaction ends. */
    readonly lockLink: (digest: string) => Effect.Effect<Option.Option<SignInLink>>
    /** Returns a staff member's links, oldest first. */
    readonly links: (person: Person) => Effect.Effect<ReadonlyArray<SignInLink>>
    /** Inserts a session, or replaces the session with the same ID. */
    readonly put: (login: StaffSession) => Effect.Effect<void>
    /** Updates only the time of the last use and the expiry. */
    readonly touch: (login: Pick<StaffSession, "orgId" | "id" | "lastUsedAt" | "expiresAt">) => Effect.Effect<void>
    /** Finds a session and locks it until the transaction ends. */
    readonly lock: (key: Pick<StaffSession, "orgId" | "id">) => Effect.Effect<Option.Option<StaffSession>>
    readonly find: (digest: string) => Effect.Effect<Option.Option<StaffSession>>
    /** Returns all of the org's sessions, including expired and ended sessions, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffSession>>
    /** Deletes a staff member's links and sessions that expired before this time. */
    readonly removeOver: (person: Person, before: Instant) => Effect.Effect<void>
    /** Deletes all of a staff member's links and sessions and leaves no copy in the database. */
    readonly removeOf: (person: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
  }
>() {}

type Person = Pick<StaffSession, "orgId" | "staffId">
