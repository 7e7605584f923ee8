import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { AuthenticatorResponse } from "./parsePasskeyResponse.ts"
import type { Passkey } from "./Passkey.ts"

/** The site that passkeys are bound to. Browsers do not offer them to other sites. */
export interface RelyingParty {
  /** For example, `https://book.example.com`. */
  readonly origin: string
  /** The host of the origin. */
  readonly host: string
}

/** The signed response does not match the challenge, the site, or the key. */
export class PasskeyInvalid extends Data.TaggedError("PasskeyInvalid")<{
  /** For the log. */
  readonly message: string
}> {}

interface Asked {
  readonly answer: AuthenticatorResponse
  /** The challenge that the device had to sign. */
  readonly challenge: string
  readonly place: RelyingParty
}

/** Verifies WebAuthn responses. User verification is required. Attestation is not checked. */
export class PasskeyVerifier extends Context.Tag("@trailbook/core/PasskeyVerifier")<
  PasskeyVerifier,
  {
    /** Verifies the response for a new passkey. */
    readonly made: (asked: Asked) => Effect.Effect<Pick<Passkey, "id" | "publicKey" | "counter">, PasskeyInvalid>
    /** Verifies a sign-in response and returns the new counter of the device. */
    readonly used: (
      asked: Asked & { readonly passkey: Pick<Passkey, "id" | "publicKey" | "counter"> }
    ) => Effect.Effect<number, PasskeyInvalid>
  }
>() {}
