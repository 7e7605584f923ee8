import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Passkey } from "./Passkey.ts"
import type { DeviceAnswer } from "./passkeyAnswer.ts"

/**
 * Where passkeys are used: a browser shows them to no other page.
 *
 * @category models
 */
export interface Place {
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
export class NotGenuine extends Data.TaggedError("NotGenuine")<{
  /** For the log. */
  readonly message: string
}> {}

interface Asked {
  readonly answer: DeviceAnswer
  /** What it was asked to sign. */
  readonly challenge: string
  readonly place: Place
}

/**
 * Checks what devices answer (WebAuthn). The person has to have shown the device that it is
 * them. Who made the device is not asked.
 *
 * @category ports
 */
export class PasskeyReader extends Context.Tag("@trailbook/core/PasskeyReader")<
  PasskeyReader,
  {
    /** A passkey that was made just now. */
    readonly made: (asked: Asked) => Effect.Effect<Pick<Passkey, "id" | "publicKey" | "counter">, NotGenuine>
    /** Whether it was used just now; answers with what the device has counted. */
    readonly used: (
      asked: Asked & { readonly passkey: Pick<Passkey, "id" | "publicKey" | "counter"> }
    ) => Effect.Effect<number, NotGenuine>
  }
>() {}
