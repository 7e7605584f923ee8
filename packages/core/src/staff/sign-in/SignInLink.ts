import * as Either from "effect/Either"
import { type Refusal, refuse } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"

/**
 * A single-use link that signs in a staff member. The secret appears only in the email or in the output of the
 * operator's command.
 */
export interface SignInLink {
  /** The secret's SHA-256 in hex, unique across all orgs. */
  readonly digest: string
  readonly orgId: string
  readonly staffId: string
  /** The path and query to open after sign-in, or null for the home page. */
  readonly next: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
}

/** The number of minutes that a link is valid. */
export const signInLinkMinutes = 15

/** The number of days that an invitation's link is valid. */
export const invitationDays = 7

/** The maximum number of links emailed to a staff member within {@link signInLinkMinutes}. */
export const maxSignInLinks = 5

/** The maximum length of the path to open after sign-in, in characters. */
export const maxNextPathLength = 4000

/** Marks a link as used. This works only once, and only before the link expires. */
export const redeemSignInLink = (
  link: SignInLink,
  now: Instant
): Either.Either<SignInLink, Refusal<"unauthorized">> => {
  if (link.spentAt !== null) return Either.left(refuse("unauthorized", usedLink))
  return now < link.expiresAt
    ? Either.right({ ...link, spentAt: now })
    : Either.left(refuse("unauthorized", oldLink))
}

const usedLink = "This sign-in link was already used. Request a new link."

const oldLink = "This sign-in link has expired. Request a new link."
