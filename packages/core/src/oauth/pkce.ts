/**
 * Proof Key for Code Exchange (RFC 7636), with SHA-256 alone: an application shows a
 * digest when it asks for a code, and the text itself when it fetches what the code is good for.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type { Ids } from "../port/Ids.ts"

/**
 * Whether it is a digest in the form that is asked for.
 *
 * @category predicates
 */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/**
 * @category predicates
 */
export const isVerifier = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

/**
 * What a verifier has to have been announced as.
 *
 * @category converting
 */
export const toChallenge = ({ digest }: Pick<Ids["Type"], "digest">, verifier: string): string =>
  Encoding.encodeBase64Url(Either.getOrThrow(Encoding.decodeHex(digest(verifier))))
