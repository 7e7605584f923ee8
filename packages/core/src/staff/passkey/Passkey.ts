import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
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
export const passkeyChallengeMinutes = 5

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

/** The site that passkeys are bound to. Browsers do not offer them to other sites. */
export interface RelyingParty {
  /** The origin, such as `https://book.example.com`. */
  readonly origin: string
  /** The origin's host. */
  readonly host: string
}

/** The signed response does not match the challenge, the site, or the key. */
export class PasskeyVerificationFailed extends Data.TaggedError("PasskeyVerificationFailed")<{
  /** The message for the log. */
  readonly message: string
}> {}

interface Challenge {
  readonly answer: AuthenticatorResponse
  /** The challenge that the device had to sign. */
  readonly challenge: string
  readonly relyingParty: RelyingParty
}

/** Verifies WebAuthn responses. User verification is required. Attestation is not checked. */
export class PasskeyVerifier extends Context.Tag("@trailbook/core/PasskeyVerifier")<
  PasskeyVerifier,
  {
    /** Verifies the response for a new passkey. */
    readonly verifyRegistration: (
      challenge: Challenge
    ) => Effect.Effect<Pick<Passkey, "id" | "publicKey" | "counter">, PasskeyVerificationFailed>
    /** Verifies a sign-in response and returns the device's new counter. */
    readonly verifyAuthentication: (
      challenge: Challenge & { readonly passkey: Pick<Passkey, "id" | "publicKey" | "counter"> }
    ) => Effect.Effect<number, PasskeyVerificationFailed>
  }
>() {}

/**
 * Parses the response from a device, as browsers serialize it (`PublicKeyCredential.toJSON`). Parsing does not verify
 * the response.
 */
const base64url = Schema.String.pipe(Schema.pattern(/^[\w-]{1,20000}$/))

const ResponseSchema = Schema.Struct({
  id: Schema.String.pipe(Schema.pattern(/^[\w-]{16,1400}$/)),
  type: Schema.Literal("public-key"),
  response: Schema.Struct({
    clientDataJSON: base64url,
    /** The passkey's owner, if the passkey was used to sign in. */
    userHandle: Schema.optional(Schema.NullOr(Schema.String))
  })
})

const ClientData = Schema.Struct({ challenge: Schema.String.pipe(Schema.pattern(/^[\w-]{16,200}$/)) })

export interface AuthenticatorResponse {
  /** The passkey's ID. */
  readonly id: string
  /** The challenge that the device claims to have signed. */
  readonly challenge: string
  /** The owner's ID, if present. */
  readonly staffId: string | undefined
  /** The complete response. */
  readonly json: unknown
}

/** Parses a response. Returns undefined if it is malformed. */
export const parsePasskeyResponse = (text: string): AuthenticatorResponse | undefined => {
  if (text.length > maxResponseLength) return undefined
  const json = Option.getOrUndefined(Schema.decodeOption(Schema.parseJson())(text))
  const response = Option.getOrUndefined(Schema.decodeUnknownOption(ResponseSchema)(json))
  if (response === undefined) return undefined
  const clientData = Schema.decodeOption(Schema.parseJson(ClientData))(
    decodeBase64Url(response.response.clientDataJSON)
  )
  if (Option.isNone(clientData)) return undefined
  const { userHandle } = response.response
  return {
    id: response.id,
    challenge: clientData.value.challenge,
    staffId: userHandle === undefined || userHandle === null || userHandle === ""
      ? undefined
      : decodeBase64Url(userHandle),
    json
  }
}

const maxResponseLength = 40_000

const decodeBase64Url = (text: string): string => {
  const bytes = Encoding.decodeBase64UrlString(text)
  return bytes._tag === "Right" ? bytes.right : ""
}
