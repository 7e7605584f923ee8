import type { Instant } from "../../time/Instant.ts"

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
  readonly createdAt: Instant
  /** Updated at most once an hour. */
  readonly lastUsedAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
}

/** Validity of a session after its last use, in days. */
export const sessionDays = 14

export const maxDeviceLength = 200
