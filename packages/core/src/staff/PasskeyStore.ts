import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { Challenge, Passkey } from "./Passkey.ts"

/**
 * Passkeys of the people of every org, and what their devices are asked to sign. A passkey
 * refers to its org, and no two of the service have one id: what breaks this is not stored,
 * which is a defect. It is found before its org is known. A challenge is of no org.
 *
 * @category ports
 */
export class PasskeyStore extends Context.Tag("@trailbook/core/PasskeyStore")<
  PasskeyStore,
  {
    /** Inserts the passkey, or replaces the one with its key. */
    readonly put: (passkey: Passkey) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<Passkey>>
    /** Finds a passkey and keeps it from changing until the unit of work ends. */
    readonly lock: (key: Pick<Passkey, "orgId" | "id">) => Effect.Effect<Option.Option<Passkey>>
    /** The org's passkeys, in the order of making. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Passkey>>
    /** Deletes a passkey. A key that names none changes nothing. */
    readonly remove: (key: Pick<Passkey, "orgId" | "id">) => Effect.Effect<void>
    /** Deletes all of a person's, of which no copy is left in the database. */
    readonly removeOf: (person: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
    /** Inserts a challenge, whose digest is new. */
    readonly addChallenge: (challenge: Challenge) => Effect.Effect<void>
    /** Finds a challenge and keeps it from changing until the unit of work ends. */
    readonly lockChallenge: (digest: string) => Effect.Effect<Option.Option<Challenge>>
    /** Deletes a challenge. One that is not there changes nothing. */
    readonly removeChallenge: (digest: string) => Effect.Effect<void>
    /** Deletes up to `limit` challenges that ran out before this moment. */
    readonly removeOver: (before: Instant, limit: number) => Effect.Effect<void>
  }
>() {}
