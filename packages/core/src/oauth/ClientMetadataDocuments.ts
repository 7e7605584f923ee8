import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type OAuthRefusal, refuseOAuth } from "./OAuthRefusal.ts"

/**
 * Fetches client metadata documents. The URL comes from an untrusted client, so the request connects only to public
 * addresses, follows no redirects, times out after 5 seconds, and reads at most 64 kB. It is never sent inside a
 * transaction.
 */
export class ClientMetadataDocuments extends Context.Tag("@trailbook/core/ClientMetadataDocuments")<
  ClientMetadataDocuments,
  {
    /** Fetches a document and returns its parsed JSON. */
    readonly read: (url: string) => Effect.Effect<unknown, OAuthRefusal>
  }
>() {
  /** A service that rejects all documents, so clients must register. */
  static readonly layerNone = Layer.succeed(
    ClientMetadataDocuments,
    ClientMetadataDocuments.of({
      read: () =>
        Effect.fail(
          refuseOAuth(
            "invalid_client",
            "client_id: this server does not support client metadata documents. Register the client instead."
          )
        )
    })
  )
}
