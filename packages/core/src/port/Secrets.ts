import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The location of an encrypted secret. A secret moved to another location cannot be decrypted. */
export interface SecretLocation {
  readonly table: "webhooks" | "payment_connections"
  readonly orgId: string
  readonly id: string
}

/**
 * Encrypts secrets that are needed in plaintext later, such as signing secrets, so that the database and its backups do
 * not reveal them.
 */
export class Secrets extends Context.Tag("@trailbook/core/Secrets")<
  Secrets,
  {
    readonly seal: (secret: string, place: SecretLocation) => Effect.Effect<string>
    /** Decrypts a secret. Dies if the location is wrong or the key is missing. */
    readonly open: (sealed: string, place: SecretLocation) => Effect.Effect<string>
    /** Returns whether the secret was encrypted with the current key. */
    readonly isCurrent: (sealed: string) => boolean
  }
>() {
  /** A service without keys. All operations fail. */
  static readonly layerNone = Layer.succeed(
    Secrets,
    Secrets.of({
      seal: () => Effect.dieMessage("No key is configured to encrypt secrets."),
      open: () => Effect.dieMessage("No key is configured to decrypt secrets."),
      isCurrent: () => false
    })
  )
}
