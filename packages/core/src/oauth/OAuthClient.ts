import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"

/**
 * The metadata of an OAuth client, such as an assistant's connector, as provided by the client. The metadata is not
 * verified, because anyone can register a client. A client has no access until an org approves it.
 */
export interface OAuthClient {
  /** An assigned ID, or the https URL of a metadata document. */
  readonly clientId: string
  /** The name that the client chose, at most 80 characters. */
  readonly name: string
  /** The allowed redirect URIs, at most 10. */
  readonly redirectUris: ReadonlyArray<string>
  readonly createdAt: Instant
  /** When the metadata document was last fetched or the client last registered. */
  readonly readAt: Instant
}

export const maxClientNameLength = 80

export const maxRedirectUris = 10

/** Returns whether an ID is the URL of a metadata document. */
export const isMetadataUrl = (clientId: string): boolean => clientId.startsWith("https://")

/** Stores OAuth clients, which belong to no org. */
export class OAuthClientStore extends Context.Tag("@trailbook/core/OAuthClientStore")<
  OAuthClientStore,
  {
    readonly find: (clientId: string) => Effect.Effect<Option.Option<OAuthClient>>
    /** Inserts a client, or replaces the client with the same ID. */
    readonly put: (application: OAuthClient) => Effect.Effect<void>
    /**
     * Deletes at most `limit` clients that have no grant and were last fetched or registered before this time, oldest
     * first.
     */
    readonly removeUnused: (before: Instant, limit: number) => Effect.Effect<void>
  }
>() {}
