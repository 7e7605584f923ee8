import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Passkey } from "./Passkey.ts"

/** The site that passkeys are bound to. Browsers do not offer them to other sites. */
export interface RelyingParty {
  /** The origin, such as `https://book.example.com`. */
  readonly origin: string
  /** The origin's host. */
  readonly host: string
}

/** The signed response does not match the challenge, the site, or the key. */
export class PasskeyInvalid extends Data.TaggedError("PasskeyInvalid")<{
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
    ) => Effect.Effect<Pick<Passkey, "id" | "publicKey" | "counter">, PasskeyInvalid>
    /** Verifies a sign-in response and returns the device's new counter. */
    readonly verifyAuthentication: (
      challenge: Challenge & { readonly passkey: Pick<Passkey, "id" | "publicKey" | "counter"> }
    ) => Effect.Effect<number, PasskeyInvalid>
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
