import type { Instant } from "../time/Instant.ts"

/**
 * A link that signs somebody of the staff in, once. Its secret is in a mail, or on the
 * screen of whoever runs the service, and nowhere else.
 *
 * @category models
 */
export interface SignInLink {
  /** SHA-256 of the secret, in hex. Unique in the whole service. */
  readonly digest: string
  readonly orgId: string
  readonly staffId: string
  /** Where to go on, a path from the root with its query; null for the first page. */
  readonly next: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
}

/**
 * How long a link can be used.
 *
 * @category constants
 */
export const linkMinutes = 15

/**
 * So many links of one person, made in {@link linkMinutes}, are mailed at most.
 *
 * @category constants
 */
export const maxLinks = 5

/**
 * The longest path to go on with, in characters.
 *
 * @category constants
 */
export const maxNext = 4000
