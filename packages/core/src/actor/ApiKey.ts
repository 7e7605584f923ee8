/**
 * API keys (decision 9.2): `tb_live_` or `tb_test_`, then 12 characters that
 * name the key, 32 that are secret and 6 that check the rest, all base62. One
 * double-click selects it whole, a secret scanner finds it by one pattern, and
 * a mistyped key is refused before anything is looked up.
 *
 * @since 0.1.0
 */
import type { Instant } from "../time/Instant.ts"
import type { Scope } from "./Actor.ts"

/**
 * A key as it is stored: nothing here lets anybody in.
 *
 * @since 0.1.0
 * @category models
 */
export interface ApiKey {
  /** The 12 public characters. */
  readonly id: string
  readonly orgId: string
  readonly name: string
  readonly mode: Mode
  /** SHA-256 of the secret, in hex. */
  readonly digest: string
  readonly last4: string
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
  /** Written at most once a minute. */
  readonly lastUsedAt: Instant | null
}

export type Mode = "live" | "test"

/**
 * @since 0.1.0
 * @category models
 */
export interface Token {
  readonly mode: Mode
  readonly id: string
  readonly secret: string
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** CRC-32 (ISO 3309), as GitHub's and npm's tokens carry it. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

const checkOf = (text: string): string => {
  let rest = crc32(text)
  let check = ""
  for (let digit = 0; digit < 6; digit++) {
    check = base62.charAt(rest % 62) + check
    rest = Math.floor(rest / 62)
  }
  return check
}

/**
 * The whole key, as the org sees it once.
 *
 * @since 0.1.0
 * @category converting
 */
export const format = ({ id, mode, secret }: Token): string => {
  const body = `tb_${mode}_${id}${secret}`
  return body + checkOf(body)
}

const pattern = /^tb_(live|test)_([0-9A-Za-z]{12})([0-9A-Za-z]{32})[0-9A-Za-z]{6}$/

/**
 * Reads a key; `undefined` when it is not one or its check says that a character
 * is wrong.
 *
 * @since 0.1.0
 * @category converting
 */
export const parse = (text: string): Token | undefined => {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, mode, id, secret] = match as unknown as [string, Mode, string, string]
  const token = { mode, id, secret }
  return format(token) === text ? token : undefined
}

/**
 * Compares two digests in a time that depends on their length alone.
 *
 * @since 0.1.0
 * @category comparing
 */
export const sameDigest = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}
