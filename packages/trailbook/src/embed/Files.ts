/**
 * Where the bytes of files are. Keys are made of lower case letters, digits, `-` and
 * `/`; nothing in them is about a person. What throws is tried again later, or the
 * upload is refused as `unavailable`.
 */
export interface Files {
  /** Keeps bytes in the place of what is there: whole, or not at all. */
  readonly put: (key: string, bytes: Uint8Array) => Promise<unknown>
  /** What is kept; nothing where there is none. It is read to its end, or cancelled. */
  readonly get: (key: string) => Promise<ReadableStream<Uint8Array> | null | undefined>
  /** Takes bytes away; also what is not there. */
  readonly remove: (key: string) => Promise<unknown>
}
