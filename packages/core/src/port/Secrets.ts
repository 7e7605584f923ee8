import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Where a sealed secret is kept. One that was moved to another place does not
 * open there.
 *
 * @category models
 */
export interface SecretPlace {
  readonly table: "webhooks" | "payment_connections"
  readonly orgId: string
  readonly id: string
}

/**
 * Keeps secrets that have to be read again, such as those that deliveries are
 * signed with, so that nobody learns them from the database or from a copy of it.
 *
 * @category ports
 */
export class Secrets extends Context.Tag("@trailbook/core/Secrets")<
  Secrets,
  {
    readonly seal: (secret: string, place: SecretPlace) => Effect.Effect<string>
    /** One that was not sealed for this place, or whose key is not at hand, is a defect. */
    readonly open: (sealed: string, place: SecretPlace) => Effect.Effect<string>
    /** Whether it was sealed with the key that seals now. */
    readonly isCurrent: (sealed: string) => boolean
  }
>() {
  /** No keys: nothing is sealed or opened. */
  static readonly layerNone = Layer.succeed(
    Secrets,
    Secrets.of({
      seal: () => Effect.dieMessage("There is no key to seal a secret with."),
      open: () => Effect.dieMessage("There is no key to open a secret with."),
      isCurrent: () => false
    })
  )
}
