/**
 * Connection details that a server can pass along with a request. Hosts may omit any of these fields, or the entire
 * object.
 */
export interface Connection {
  /** The peer address. Failed keys are rate limited per address, and requests without an address share one limit. */
  readonly remoteAddress?: string | undefined
  /** Whether the server will shut down soon. Readiness checks then fail, but requests are still served. */
  readonly leaving?: boolean
  /** Whether the server is shutting down. Readiness checks then fail, and each response closes its connection. */
  readonly draining?: boolean
  /** Called with the length of each response chunk that the host writes. */
  readonly onWrite?: (bytes: number) => void
  /**
   * Calls the listener if the client disconnects. Returns a function that removes the listener. Without this function,
   * the handler uses the request's signal, which adds 3 µs to each read.
   */
  readonly onDisconnect?: (listener: () => void) => () => void
  /** A signal that aborts on shutdown, so that open-ended responses can finish. */
  readonly goingDown?: AbortSignal
}
