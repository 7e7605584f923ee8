import * as Either from "effect/Either"
import { type Refusal, refuse } from "../../Refusal.ts"
import * as Instant from "../../time/Instant.ts"

/** The ways to sign in. */
export const signInMethods = ["link", "passkey"] as const

export type SignInMethod = (typeof signInMethods)[number]

/** A browser session of a staff member. It contains no secret. */
export interface StaffSession {
  readonly id: string
  readonly orgId: string
  readonly staffId: string
  /** SHA-256 of the cookie's secret, in hex. Unique in the whole service. */
  readonly digest: string
  readonly way: SignInMethod
  /** The user agent that the browser reports, shown in the list of sessions. At most 200 characters. */
  readonly device: string
  readonly createdAt: Instant.Instant
  /** Updated at most once an hour. */
  readonly lastUsedAt: Instant.Instant
  readonly expiresAt: Instant.Instant
  readonly endedAt: Instant.Instant | null
}

/** Validity of a session after its last use, in days. */
export const sessionDays = 14

export const maxDeviceLength = 200

/** Whether the session is valid. */
export const isOpen = ({ endedAt, expiresAt }: StaffSession, now: Instant.Instant): boolean =>
  endedAt === null && now < expiresAt

/** When a session expires that is used at this time. */
export const sessionExpiry = (at: Instant.Instant): Instant.Instant => Instant.addMinutes(at, sessionDays * 24 * 60)

/** Records a use, at most once an hour. A session that has ended or expired is rejected. */
export const recordUse = (
  login: StaffSession,
  now: Instant.Instant
): Either.Either<StaffSession, Refusal<"unauthorized">> => {
  if (!isOpen(login, now)) return Either.left(refuse("unauthorized", "Sign in first."))
  return Either.right(
    now - login.lastUsedAt < hourMs ? login : { ...login, lastUsedAt: now, expiresAt: sessionExpiry(now) }
  )
}

const hourMs = 3_600_000

/** Ends a session. A session that is not open stays as it is. */
export const endSession = (login: StaffSession, now: Instant.Instant): StaffSession =>
  isOpen(login, now) ? { ...login, endedAt: now } : login
