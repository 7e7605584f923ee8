import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import { type Refusal, refuse } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"

/** The public half of a passkey on a staff member's device. It contains no secret. */
export interface Passkey {
  /** The credential ID, in base64url, unique across all orgs. */
  readonly id: string
  readonly orgId: string
  readonly staffId: string
  /** The public key: a SubjectPublicKeyInfo (RFC 5280) in base64url. */
  readonly publicKey: string
  /** The signature counter, or 0 if the device has no counter. */
  readonly counter: number
  /** The name that the staff member chose, at most 80 characters. */
  readonly name: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

/** A challenge that a device signs once. The staff member is known when a passkey is added, but not at sign-in. */
export interface PasskeyChallenge {
  /** The challenge's SHA-256 in hex. */
  readonly digest: string
  /** The staff member adding a passkey, or null for a sign-in. */
  readonly staffId: string | null
  readonly expiresAt: Instant
}

/** The maximum number of passkeys per staff member. */
export const maxPasskeys = 20

/** The number of minutes that a challenge is valid. */
export const challengeMinutes = 5

/**
 * Records a use of the passkey. If the device has a counter, the reported value must be higher than the stored one. Any
 * other value means that the passkey was copied.
 */
export const recordPasskeyUse = (
  passkey: Passkey,
  { counter, now }: {
    /** The counter that the device reports, or 0 if the device has no counter. */
    readonly counter: number
    readonly now: Instant
  }
): Either.Either<Passkey, Refusal<"unauthorized">> =>
  counter > passkey.counter || (counter === 0 && passkey.counter === 0)
    ? Either.right({ ...passkey, counter, lastUsedAt: now })
    : Either.left(refuse("unauthorized", copiedMessage))

const copiedMessage =
  "This passkey is blocked because it may have been copied. Sign in with an emailed link, then remove the passkey."

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
    readonly addChallenge: (challenge: PasskeyChallenge) => Effect.Effect<void>
    /** Finds a challenge and locks it until the transaction ends. */
    readonly lockChallenge: (digest: string) => Effect.Effect<Option.Option<PasskeyChallenge>>
    /** Deletes a challenge. Does nothing if it does not exist. */
    readonly removeChallenge: (digest: string) => Effect.Effect<void>
    /** Deletes up to `limit` challenges that expired before the given time. */
    readonly removeOver: (before: Instant, limit: number) => Effect.Effect<void>
  }
>() {}
