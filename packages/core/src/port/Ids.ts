import * as Context from "effect/Context"

/**
 * The source of randomness. The functions are not effects, because a single decision needs dozens of IDs. Only services
 * call them, so that decisions remain deterministic.
 */
export class Ids extends Context.Tag("@trailbook/core/Ids")<
  Ids,
  {
    /** Returns a new UUID (version 7). UUIDs are roughly ordered by creation time. */
    readonly uuid: () => string
    /** Returns eight characters in Crockford's Base32. Never use the reference as a credential. */
    readonly reference: () => string
    /** Returns the secret part of a booking page URL, in base64url with at least 128 random bits. */
    readonly handle: () => string
    /** Returns random base62 characters for the parts of an API key. */
    readonly token: (length: number) => string
    /** Returns the SHA-256 of the text's UTF-8 bytes, in lowercase hex. */
    readonly digest: (text: string) => string
  }
>() {}

/**
 * Signs a string with a secret and returns lowercase hex. The secret is hashed in both an inner and an outer SHA-256,
 * which prevents length-extension attacks.
 */
export const computeKeyedDigest = ({ digest }: Pick<Ids["Type"], "digest">, secret: string, text: string): string =>
  digest(`${secret} ${digest(`${secret} ${text}`)}`)
