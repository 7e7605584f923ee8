import * as Context from "effect/Context"

/**
 * The source of randomness. The functions are plain because deciding needs dozens of IDs. Only services call them, so
 * that decisions stay deterministic.
 */
export class Ids extends Context.Tag("@trailbook/core/Ids")<
  Ids,
  {
    /** A new UUID (version 7), roughly ordered by creation. */
    readonly uuid: () => string
    /** Eight characters in Crockford's Base32. Never a credential. */
    readonly reference: () => string
    /** The secret part of a booking page URL: at least 128 random bits, base64url. */
    readonly handle: () => string
    /** Random base62 characters, for the parts of an API key. */
    readonly token: (length: number) => string
    /** SHA-256 of the text's UTF-8 bytes, in lowercase hex. */
    readonly digest: (text: string) => string
  }
>() {}
