import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { SignInLink } from "./SignInLink.ts"
import type { StaffSession } from "./StaffSession.ts"

/**
 * What somebody of the staff signs in with, and where they are signed in. Both refer
 * to their org: one that refers to none is not stored, which is a defect, and neither
 * are two links or two logins of the service with one digest. Both are found before
 * their org is known.
 *
 * @category ports
 */
export class StaffSessionStore extends Context.Tag("@trailbook/core/StaffSessionStore")<
  StaffSessionStore,
  {
    /** Inserts the link, or replaces the one with its digest. */
    readonly putLink: (link: SignInLink) => Effect.Effect<void>
    /** Finds a link and keeps it from changing until the unit of work ends. */
    readonly lockLink: (digest: string) => Effect.Effect<Option.Option<SignInLink>>
    /** A person's links, in the order of making. */
    readonly links: (person: Person) => Effect.Effect<ReadonlyArray<SignInLink>>
    /** Inserts the login, or replaces the one with its id. */
    readonly put: (login: StaffSession) => Effect.Effect<void>
    /** Notes when it was used and up to when it lasts now, and nothing else. */
    readonly touch: (login: Pick<StaffSession, "orgId" | "id" | "lastUsedAt" | "expiresAt">) => Effect.Effect<void>
    /** Finds a login and keeps it from changing until the unit of work ends. */
    readonly lock: (key: Pick<StaffSession, "orgId" | "id">) => Effect.Effect<Option.Option<StaffSession>>
    readonly find: (digest: string) => Effect.Effect<Option.Option<StaffSession>>
    /** The org's logins, those that are over included, in the order of making. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffSession>>
    /** Deletes a person's links and logins that ran out before this moment. */
    readonly removeOver: (person: Person, before: Instant) => Effect.Effect<void>
    /** Deletes all of a person's links and logins, of which no copy is left in the database. */
    readonly removeOf: (person: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
  }
>() {}

type Person = Pick<StaffSession, "orgId" | "staffId">
