import type { Instant } from "../time/Instant.ts"

/**
 * A single-use link that signs a staff member in. The secret is only in the email or in the output of the operator's
 * command.
 */
export interface SignInLink {
  /** SHA-256 of the secret, in hex. Unique in the whole service. */
  readonly digest: string
  readonly orgId: string
  readonly staffId: string
  /** The path and query to open after sign-in, or null for the home page. */
  readonly next: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
}

/** Validity of a link, in minutes. */
export const linkMinutes = 15

/** Validity of the link in an invitation, in days. */
export const invitationDays = 7

/** Maximum number of links to email to a staff member within {@link linkMinutes}. */
export const maxLinks = 5

/** Maximum length of the path after sign-in, in characters. */
export const maxNext = 4000
