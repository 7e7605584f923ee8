/**
 * Connection details that a server passes with a request. Hosts may pass an object without these fields, or omit it.
 */
export interface Connection {
  /** The peer address. Failed keys are rate limited by address, and requests without an address share one limit. */
  readonly remoteAddress?: string | undefined
  /** The server is about to shut down: readiness fails, but requests are still served. */
  readonly leaving?: boolean
  /** The server is shutting down: readiness fails, and each response closes its connection. */
  readonly draining?: boolean
  /** Receives the length of each response chunk that is written. */
  readonly onWrite?: (bytes: number) => void
  /**
   * Calls the listener if the client disconnects, and returns a function that removes it. Without it, the request's
   * signal is used, which costs a read 3 µs.
   */
  readonly onDisconnect?: (listener: () => void) => () => void
  /** Aborted on shutdown, so that responses without a natural end finish. */
  readonly goingDown?: AbortSignal
}
