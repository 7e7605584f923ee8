import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../../time/Instant.ts"
import type { Challenge, Passkey } from "./Passkey.ts"

/**
 * Stores the passkeys of all staff members, and the pending challenges. A passkey references its org, and passkey IDs
 * are unique across all orgs. A write that violates these rules fails as a defect. Passkeys are looked up before the
 * org is known. Challenges belong to no org.
 */
export class PasskeyStore extends Context.Tag("@trailbook/core/PasskeyStore")<
  PasskeyStore,
  {
    /** Inserts a passkey, or replaces the passkey with the same key. */
    readonly put: (passkey: Passkey) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<Passkey>>
    /** Finds a passkey and locks it until the transaction ends. */
    readonly lock: (key: Pick<Passkey, "orgId" | "id">) => Effect.Effect<Option.Option<Passkey>>
    /** Returns the org's passkeys, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Passkey>>
    /** Deletes a passkey. Does nothing if it does not exist. */
    readonly remove: (key: Pick<Passkey, "orgId" | "id">) => Effect.Effect<void>
    /** Deletes all of a staff member's passkeys and leaves no copy in the database. */
    readonly removeOf: (person: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
    /** Inserts a challenge. Its digest must be new. */
    readonly addChallenge: (challenge: Challenge) => Effect.Effect<void>
    /** Finds a challenge and locks it until the transaction ends. */
    readonly lockChallenge: (digest: string) => Effect.Effect<Option.Option<Challenge>>
    /** Deletes a challenge. Does nothing if it does not exist. */
    readonly removeChallenge: (digest: string) => Effect.Effect<void>
    /** Deletes up to `limit` challenges that expired before this time. */
    readonly removeOver: (before: Instant, limit: number) => Effect.Effect<void>
  }
>() {}
