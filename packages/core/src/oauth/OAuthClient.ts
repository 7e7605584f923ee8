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
  /** The time when the metadata document was last fetched or the client last registered. */
  readonly readAt: Instant
}

export const maxName = 80

export const maxRedirects = 10

/** Returns whether an ID is the URL of a metadata document. */
export const isMetadataUrl = (clientId: string): boolean => clientId.startsWith("https://")
