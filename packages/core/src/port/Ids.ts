/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Where chance enters. The functions are plain because deciding draws dozens at
 * a time; only services call them, so the rules themselves stay repeatable.
 *
 * @since 0.1.0
 * @category ports
 */
export class Ids extends Context.Tag("@trailbook/core/Ids")<
  Ids,
  {
    /** A new id: a UUID whose order is roughly that of making (version 7). */
    readonly uuid: () => string
    /** Eight characters of Crockford's base 32 (decision 5.4). Never a credential. */
    readonly reference: () => string
    /** The secret part of a guest's page: at least 128 random bits, base64url (decision 5.4). */
    readonly handle: () => string
    /** Random base62 characters, for the parts of an API key (decision 9.2). */
    readonly token: (length: number) => string
    /** SHA-256 of the text's UTF-8 bytes, in lowercase hex. */
    readonly digest: (text: string) => string
  }
>() {}
