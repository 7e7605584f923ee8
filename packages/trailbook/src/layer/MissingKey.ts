import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { verifySecrets } from "../secrets/verifySecrets.ts"

/**
 * The signing secret of a webhook is sealed with a key that this program was not
 * given.
 */
export class MissingKey extends Data.TaggedError("MissingKey")<{ readonly message: string }> {}

/** Fails when the database has a secret that does not open here. */
export const secretsOpen = (options: { readonly reseal: boolean }) =>
  Effect.mapError(verifySecrets(options), ({ message }) => new MissingKey({ message }))
