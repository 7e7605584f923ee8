/**
 * Proof Key for Code Exchange (RFC 7636), with SHA-256 only: a client sends a digest with the authorization request,
 * and the original text with the token request.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type { Ids } from "../port/Ids.ts"

/** Whether the text has the form of a challenge. */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

export const isVerifier = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

/** The challenge of a verifier. */
export const toChallenge = ({ digest }: Pick<Ids["Type"], "digest">, verifier: string): string =>
  Encoding.encodeBase64Url(Either.getOrThrow(Encoding.decodeHex(digest(verifier))))
