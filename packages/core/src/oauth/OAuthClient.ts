import type { Instant } from "../time/Instant.ts"

/**
 * An OAuth client, such as an assistant's connector, as it describes itself. Anyone can register a client, so
 * nothing is verified. A client has no access until an org approves it.
 */
export interface OAuthClient {
  /** An assigned ID, or the https URL of a metadata document. */
  readonly clientId: string
  /** The name that the client gave itself, with at most 80 characters. */
  readonly name: string
  /** The allowed redirect URIs, at most 10. */
  readonly redirectUris: ReadonlyArray<string>
  readonly createdAt: Instant
  /** When its metadata document was last fetched. For a registered client, when it last registered. */
  readonly readAt: Instant
}

export const maxName = 80

export const maxRedirects = 10

/** Returns whether an ID is the URL of a metadata document. */
export const isMetadataUrl = (clientId: string): boolean => clientId.startsWith("https://")
