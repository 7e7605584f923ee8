import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Ids } from "../port/Ids.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { isDocumentUrl, readDocument, readMetadata } from "./clientMetadata.ts"
import { ClientMetadataDocuments } from "./ClientMetadataDocuments.ts"
import { isMetadataUrl, type OAuthClient } from "./OAuthClient.ts"
import { OAuthClientStore } from "./OAuthClientStore.ts"
import { type OAuthRefusal, refuseOAuth } from "./OAuthRefusal.ts"

/** Finds and registers OAuth clients. Instead of registering, a client can publish a metadata document. */
export class OAuthClients extends Context.Tag("@trailbook/core/OAuthClients")<
  OAuthClients,
  {
    /**
     * Finds a client by ID. Fetches the metadata document again after 1 day. If the request fails, uses the cached
     * copy.
     */
    readonly find: (clientId: string) => Effect.Effect<OAuthClient, OAuthRefusal>
    /**
     * Registers a client. Returns the same client for equal metadata, because some programs register for every
     * connection.
     */
    readonly register: (metadata: unknown) => Effect.Effect<OAuthClient, OAuthRefusal>
  }
>() {
  static readonly layer = Layer.effect(
    OAuthClients,
    Effect.gen(function*() {
      const store = yield* OAuthClientStore
      const documents = yield* ClientMetadataDocuments
      const ids = yield* Ids

      const storeClient = (details: Pick<OAuthClient, "clientId" | "name" | "redirectUris">, existing?: OAuthClient) =>
        Effect.gen(function*() {
          const now = yield* currentTime
          const application: OAuthClient = { ...details, createdAt: existing?.createdAt ?? now, readAt: now }
          yield* store.put(application)
          return application
        })

      const fetchClient = (url: string, existing: OAuthClient | undefined) =>
        Effect.gen(function*() {
          if (!isDocumentUrl(url)) return yield* unknown
          const details = yield* Effect.flatMap(documents.read(url), (document) => readDocument(url, document))
          return yield* storeClient({ clientId: url, ...details }, existing)
        })

      return OAuthClients.of({
        find: (clientId) =>
          Effect.gen(function*() {
            const existing = Option.getOrUndefined(yield* store.find(clientId))
            if (!isMetadataUrl(clientId)) return existing ?? (yield* unknown)
            if (existing !== undefined && (yield* currentTime) - existing.readAt < dayMs) return existing
            return existing === undefined
              ? yield* fetchClient(clientId, existing)
              : yield* Effect.orElseSucceed(fetchClient(clientId, existing), () => existing)
          }),
        register: (metadata) =>
          Effect.gen(function*() {
            const details = yield* readMetadata(metadata)
            const clientId = registeredId(ids, details)
            const existing = Option.getOrUndefined(yield* store.find(clientId))
            yield* store.removeUnused(Instant.addMinutes(yield* currentTime, -unusedDays * 24 * 60), 10)
            return yield* storeClient({ clientId, ...details }, existing)
          })
      })
    })
  )
}

const registeredId = (
  { digest }: Pick<Ids["Type"], "digest">,
  { name, redirectUris }: Pick<OAuthClient, "name" | "redirectUris">
): string => `app_${digest(JSON.stringify([name, [...new Set(redirectUris)].toSorted()])).slice(0, 40)}`

const dayMs = 24 * 3_600_000

/** A client without a grant is deleted after this many days. It can register again. */
const unusedDays = 30

const unknown: Either.Either<never, OAuthRefusal> = Either.left(
  refuseOAuth("invalid_client", "client_id: is unknown. Register the client first.")
)
