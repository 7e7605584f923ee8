/**
 * API keys. A key consists of `tb_live_` or `tb_test_`, a 12-character ID, a 32-character secret, and a 6-character
 * checksum, all three in base62. This format lets a double-click select the whole key, a secret scanner find it with
 * one pattern, and the server refuse a mistyped key without a query.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { ApiKeyActor, ApiKeyScope } from "./Actor.ts"

/** A stored key. The stored fields are not enough to authenticate. */
export interface ApiKey {
  /** The public part of the key: 12 characters. */
  readonly id: string
  readonly orgId: string
  readonly name: string
  readonly mode: ApiKeyMode
  /** The SHA-256 digest of the secret, in hex. */
  readonly digest: string
  readonly last4: string
  readonly scopes: ReadonlyArray<ApiKeyScope>
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
  /** The time of the last use, updated at most once a minute. */
  readonly lastUsedAt: Instant | null
}

export type ApiKeyMode = "live" | "test"

/** Returns whether a key is valid in this mode at this time. */
export const isValid = ({ expiresAt, mode, revokedAt }: ApiKey, expectedMode: ApiKeyMode, now: Instant): boolean =>
  mode === expectedMode && revokedAt === null && (expiresAt === null || expiresAt > now)

/** Returns whether two reads of a key found the same secret and the same actor. */
export const hasSameCredentials = (before: ApiKey, after: ApiKey): boolean =>
  before === after ||
  before.digest === after.digest && before.orgId === after.orgId && before.scopes.join() === after.scopes.join()

/** Returns a verified key's actor. */
export const toActor = ({ id, orgId, scopes }: ApiKey, source: ApiKeyActor["source"]): ApiKeyActor => ({
  _tag: "Key",
  orgId,
  scopes: new Set(scopes),
  keyId: id,
  source
})

export interface ParsedApiKey {
  readonly mode: ApiKeyMode
  readonly id: string
  readonly secret: string
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** The CRC-32 lookup table: for each byte, the remainder after 8 polynomial steps. */
const crcSteps = Uint32Array.from({ length: 256 }, (_, byte) => {
  let step = byte
  for (let bit = 0; bit < 8; bit++) step = step & 1 ? (step >>> 1) ^ 0xedb88320 : step >>> 1
  return step
})

/** CRC-32 (ISO 3309) over the first `length` characters, as in GitHub and npm tokens. */
const crc32 = (text: string, length: number): number => {
  let crc = 0xffffffff
  for (let at = 0; at < length; at++) crc = (crcSteps[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

const computeChecksum = (body: string): string => {
  let remainder = crc32(body, body.length)
  let checksum = ""
  for (let digit = 0; digit < checkLength; digit++) {
    checksum = base62.charAt(remainder % 62) + checksum
    remainder = Math.floor(remainder / 62)
  }
  return checksum
}

/** Formats the complete key, which the org sees only once. */
export const format = ({ id, mode, secret }: ParsedApiKey): string => {
  const body = `tb_${mode}_${id}${secret}`
  return body + computeChecksum(body)
}

const pattern = /^tb_(live|test)_[0-9A-Za-z]{50}$/
const prefixLength = "tb_live_".length
const idLength = 12
const secretLength = 32
const checkLength = 6

/** Parses a key. Returns `undefined` if the text is not a key or its checksum is wrong. */
export const parse = (text: string): ParsedApiKey | undefined => {
  if (!pattern.test(text)) return undefined
  const secretAt = prefixLength + idLength
  const checkAt = secretAt + secretLength
  // Verify the checksum before extracting substrings: this code runs on every request.
  let checksum = 0
  for (let at = checkAt; at < text.length; at++) checksum = checksum * 62 + base62.indexOf(text.charAt(at))
  if (checksum !== crc32(text, checkAt)) return undefined
  const mode = text.startsWith("tb_live_") ? "live" : "test"
  return { mode, id: text.slice(prefixLength, secretAt), secret: text.slice(secretAt, checkAt) }
}

/** Compares two digests. Takes constant time if the lengths are equal. */
export const isEqualDigest = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}

/**
 * Stores API keys. A key must reference an existing org. A write that violates this rule fails as a defect, and nothing
 * is stored. A key is looked up before its org is known, so generated IDs are unique across all orgs. Implementations
 * do not need to check this.
 */
export class ApiKeyStore extends Context.Tag("@trailbook/core/ApiKeyStore")<
  ApiKeyStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<ApiKey>>
    /** Returns an org's keys, including revoked keys, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Inserts or replaces a key by ID. */
    readonly put: (key: ApiKey) => Effect.Effect<void>
    readonly touch: (id: string, at: Instant) => Effect.Effect<void>
  }
>() {}
