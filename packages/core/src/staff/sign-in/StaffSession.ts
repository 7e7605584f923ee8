import * as Either from "effect/Either"
import { type Refusal, refuse } from "../../Refusal.ts"
import * as Instant from "../../time/Instant.ts"

/** The ways to sign in. */
export const signInMethods = ["link", "passkey"] as const

export type SignInMethod = (typeof signInMethods)[number]

/** A staff member's browser session, which contains no secret. */
export interface StaffSession {
  readonly id: string
  readonly orgId: string
  readonly staffId: string
  /** The cookie secret's SHA-256 in hex, unique across all orgs. */
  readonly digest: string
  readonly way: SignInMethod
  /** The browser's user agent, at most 200 characters, for the list of sessions. */
  readonly device: string
  readonly createdAt: Instant.Instant
  /** The time of the last use, which is updated at most once an hour. */
  readonly lastUsedAt: Instant.Instant
  readonly expiresAt: Instant.Instant
  readonly endedAt: Instant.Instant | null
}

/** The number of days that a session stays valid after its last use. */
export const sessionDays = 14

export const maxDeviceLength = 200

/** Returns whether the session is valid. */
export const isOpen = ({ endedAt, expiresAt }: StaffSession, now: Instant.Instant): boolean =>
  endedAt === null && now < expiresAt

/** Returns the time when a session expires if it is used at `at`. */
export const sessionExpiry = (at: Instant.Instant): Instant.Instant => Instant.addMinutes(at, sessionDays * 24 * 60)

/** Records a use at most once an hour. Rejects a session that has ended or expired. */
export const recordSessionUse = (
  login: StaffSession,
  now: Instant.Instant
): Either.Either<StaffSession, Refusal<"unauthorized">> => {
  if (!isOpen(login, now)) return Either.left(refuse("unauthorized", "Sign in first."))
  return Either.right(
    now - login.lastUsedAt < hourMs ? login : { ...login, lastUsedAt: now, expiresAt: sessionExpiry(now) }
  )
}

const hourMs = 3_600_000

/** Ends a session if it is open. */
export const endSession = (login: StaffSession, now: Instant.Instant): StaffSession =>
  isOpen(login, now) ? { ...login, endedAt: now } : login
