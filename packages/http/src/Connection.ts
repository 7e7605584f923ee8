/**
 * Connection details that a server passes with a request. A host can pass an object without these fields, or no object.
 */
export interface Connection {
  /** The peer address. Failed keys are rate limited by address, and requests without an address share one limit. */
  readonly remoteAddress?: string | undefined
  /** The server is about to shut down. Readiness fails, but requests are still served. */
  readonly leaving?: boolean
  /** The server is shutting down. Readiness fails, and each response closes its connection. */
  readonly draining?: boolean
  /** The host calls this with the length of each response chunk that it writes. */
  readonly onWrite?: (bytes: number) => void
  /**
   * Calls the listener if the client disconnects, and returns a function that removes the listener. If the server does
   * not provide this function, the handler uses the request's signal, which adds 3 µs to a read.
   */
  readonly onDisconnect?: (listener: () => void) => () => void
  /** Aborted on shutdown, so that responses without a natural end finish. */
  readonly goingDown?: AbortSignal
}
