import * as Context from "effect/Context"

/**
 * Where chance enters. The functions are plain because deciding draws dozens at
 * a time; only services call them, so the rules themselves stay repeatable.
 *
 * @category ports
 */
export class Ids extends Context.Tag("@trailbook/core/Ids")<
  Ids,
  {
    /** A new id: a UUID whose order is roughly that of making (version 7). */
    readonly uuid: () => string
    /** Eight characters of Crockford's base 32. Never a credential. */
    readonly reference: () => string
    /** The secret part of a guest's page: at least 128 random bits, base64url. */
    readonly handle: () => string
    /** Random base62 characters, for the parts of an API key. */
    readonly token: (length: number) => string
    /** SHA-256 of the text's UTF-8 bytes, in lowercase hex. */
    readonly digest: (text: string) => string
  }
>() {}
