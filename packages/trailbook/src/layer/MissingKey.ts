import { verifySecrets } from "@trailbook/runtime/service/verifySecrets"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** The error for a webhook whose signing secret is encrypted with a key that is not configured. */
export class MissingKey extends Data.TaggedError("MissingKey")<{ readonly message: string }> {}

/** Fails if the database contains a secret that the configured keys cannot decrypt. */
export const verifyWebhookSecrets = (options: { readonly reseal: boolean }) =>
  Effect.mapError(verifySecrets(options), ({ message }) => new MissingKey({ message }))
