/**
 * Storage for file contents. Keys consist of lowercase letters, digits, `-`, and `/`, and contain no personal data. If
 * a call throws, Trailbook retries it later or refuses the upload as `unavailable`.
 */
export interface Files {
  /** Stores the bytes atomically. Replaces an existing file with the same key. */
  readonly put: (key: string, bytes: Uint8Array) => Promise<unknown>
  /**
   * Returns the content, or `null` or `undefined` if the key does not exist. Trailbook reads the stream to its end or
   * cancels it.
   */
  readonly get: (key: string) => Promise<ReadableStream<Uint8Array> | null | undefined>
  /** Deletes a file. The call must succeed even if the key does not exist. */
  readonly remove: (key: string) => Promise<unknown>
}
