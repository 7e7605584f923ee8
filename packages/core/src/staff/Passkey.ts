import type { Instant } from "../time/Instant.ts"

/**
 * A key that a device of somebody of the staff keeps for them. What is here is its public
 * half: nothing of it lets anybody in.
 *
 * @category models
 */
export interface Passkey {
  /** What the device calls it, in base64url. Unique in the whole service. */
  readonly id: string
  readonly orgId: string
  readonly staffId: string
  /** In base64url, as SubjectPublicKeyInfo (RFC 5280). */
  readonly publicKey: string
  /** How often it was used, where the device counts that; else 0. */
  readonly counter: number
  /** What its owner knows it by; at most 80 characters. */
  readonly name: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

/**
 * What a device is asked to sign, once. Whoever signs in is not known yet; whoever adds a
 * passkey is.
 *
 * @category models
 */
export interface Challenge {
  /** SHA-256 of it, in hex. */
  readonly digest: string
  /** Who adds a passkey; null to sign in. */
  readonly staffId: string | null
  readonly expiresAt: Instant
}

/**
 * The most passkeys that one person may have.
 *
 * @category constants
 */
export const maxPasskeys = 20

/**
 * So long a device may take, in minutes.
 *
 * @category constants
 */
export const challengeMinutes = 5
