/**
 * What a server knows of a request besides the request. Any host may pass an
 * object without these fields, or nothing.
 */
export interface Connection {
  /** Failed keys are limited by it; without it they are limited together. */
  readonly remoteAddress?: string | undefined
  /** The server goes down: it is not ready, and every answer ends its connection. */
  readonly draining?: boolean
  /** Receives the length of each piece of an answer that is written. */
  readonly onWrite?: (bytes: number) => void
  /** Aborted once the server goes down: an answer that has no end by itself comes to it then. */
  readonly goingDown?: AbortSignal
}
