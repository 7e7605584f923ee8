import type { Instant } from "../time/Instant.ts"

/**
 * A connector of an assistant, as it describes itself. Anybody may register one, so
 * nothing here is proven: it opens nothing until an org lets it in.
 *
 * @category models
 */
export interface OAuthClient {
  /** An id that was given here, or the https address of a document that describes it. */
  readonly clientId: string
  /** What it calls itself; at most 80 characters. */
  readonly name: string
  /** Where a browser may be sent back to, at most 10. */
  readonly redirectUris: ReadonlyArray<string>
  readonly createdAt: Instant
  /** When its document was last read; of a registered one, when it last registered. */
  readonly readAt: Instant
}

/**
 * @category constants
 */
export const maxName = 80

/**
 * @category constants
 */
export const maxRedirects = 10

/**
 * Whether an id is the address of a document.
 *
 * @category predicates
 */
export const isMetadataUrl = (clientId: string): boolean => clientId.startsWith("https://")
