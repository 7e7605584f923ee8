import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { AuthenticatorResponse } from "./parsePasskeyResponse.ts"
import type { Passkey } from "./Passkey.ts"

/**
 * Where passkeys are used: a browser shows them to no other page.
 *
 * @category models
 */
export interface RelyingParty {
  /** Such as `https://book.example.com`. */
  readonly origin: string
  /** The host that passkeys are for: that of the origin. */
  readonly host: string
}

/**
 * What a device has signed is not what it was asked to, or not by what it says.
 *
 * @category errors
 */
export class PasskeyInvalid extends Data.TaggedError("PasskeyInvalid")<{
  /** For the log. */
  readonly message: string
}> {}

interface Asked {
  readonly answer: AuthenticatorResponse
  /** What it was asked to sign. */
  readonly challenge: string
  readonly place: RelyingParty
}

/**
 * Checks what devices answer (WebAuthn). The person has to have shown the device that it is
 * them. Who made the device is not asked.
 *
 * @category ports
 */
export class PasskeyVerifier extends Context.Tag("@trailbook/core/PasskeyVerifier")<
  PasskeyVerifier,
  {
    /** A passkey that was made just now. */
    readonly made: (asked: Asked) => Effect.Effect<Pick<Passkey, "id" | "publicKey" | "counter">, PasskeyInvalid>
    /** Whether it was used just now; answers with what the device has counted. */
    readonly used: (
      asked: Asked & { readonly passkey: Pick<Passkey, "id" | "publicKey" | "counter"> }
    ) => Effect.Effect<number, PasskeyInvalid>
  }
>() {}
