import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../../time/Instant.ts"
import type { Challenge, Passkey } from "./Passkey.ts"

/**
 * All staff members' passkeys, and the pending challenges. A passkey refers to its org, and its ID is unique in the
 * service; storing one that breaks this is a defect. Passkeys are looked up before the org is known. Challenges belong
 * to no org.
 */
export class PasskeyStore extends Context.Tag("@trailbook/core/PasskeyStore")<
  PasskeyStore,
  {
    /** Inserts the passkey, or replaces the one with its key. */
    readonly put: (passkey: Passkey) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<Passkey>>
    /** Finds and locks a passkey until the transaction ends. */
    readonly lock: (key: Pick<Passkey, "orgId" | "id">) => Effect.Effect<Option.Option<Passkey>>
    /** Returns the org's passkeys, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Passkey>>
    /** Deletes a passkey. Does nothing if it does not exist. */
    readonly remove: (key: Pick<Passkey, "orgId" | "id">) => Effect.Effect<void>
    /** Deletes all of a staff member's passkeys, and leaves no copy in the database. */
    readonly removeOf: (person: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
    /** Inserts a challenge. Its digest must be new. */
    readonly addChallenge: (challenge: Challenge) => Effect.Effect<void>
    /** Finds and locks a challenge until the transaction ends. */
    readonly lockChallenge: (digest: string) => Effect.Effect<Option.Option<Challenge>>
    /** Deletes a challenge. Does nothing if it does not exist. */
    readonly removeChallenge: (digest: string) => Effect.Effect<void>
    /** Deletes up to `limit` challenges that expired before this time. */
    readonly removeOver: (before: Instant, limit: number) => Effect.Effect<void>
  }
>() {}
