/**
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { openedSecrets } from "../secrets/openedSecrets.ts"

/**
 * The signing secret of a webhook is sealed with a key that this program was not
 * given.
 *
 * @since 0.1.0
 * @category errors
 */
export class MissingKey extends Data.TaggedError("MissingKey")<{ readonly message: string }> {}

/**
 * Fails when the database has a secret that does not open here.
 *
 * @since 0.1.0
 * @category effects
 */
export const secretsOpen = (options: { readonly reseal: boolean }) =>
  Effect.mapError(openedSecrets(options), ({ message }) => new MissingKey({ message }))
