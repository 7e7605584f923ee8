import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type OAuthRefusal, refuseOAuth } from "./OAuthRefusal.ts"

/**
 * Reads the document at an address that an application has for its id. The address is
 * whatever a stranger sent, so what reads it goes to public addresses alone, follows no
 * redirect, waits 5 seconds and takes 64 kB. Never called inside a unit of work.
 *
 * @category ports
 */
export class ClientMetadataDocuments extends Context.Tag("@trailbook/core/ClientMetadataDocuments")<
  ClientMetadataDocuments,
  {
    /** The document as JSON. */
    readonly read: (url: string) => Effect.Effect<unknown, OAuthRefusal>
  }
>() {
  /** No document is read: applications have to register. */
  static readonly layerNone = Layer.succeed(
    ClientMetadataDocuments,
    ClientMetadataDocuments.of({
      read: () => Effect.fail(refuseOAuth("invalid_client", "client_id: documents are not read here; register instead"))
    })
  )
}
