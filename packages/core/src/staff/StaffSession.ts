import type { Instant } from "../time/Instant.ts"

/**
 * How somebody signed in.
 *
 * @category models
 */
export const signInMethods = ["link", "passkey"] as const

/**
 * @category models
 */
export type SignInMethod = (typeof signInMethods)[number]

/**
 * A browser that somebody of the staff is signed in with. Nothing here lets anybody in.
 *
 * @category models
 */
export interface StaffSession {
  readonly id: string
  readonly orgId: string
  readonly staffId: string
  /** SHA-256 of the cookie's secret, in hex. Unique in the whole service. */
  readonly digest: string
  readonly way: SignInMethod
  /** What the browser says that it is, to know it by in the list; at most 200 characters. */
  readonly device: string
  readonly createdAt: Instant
  /** Written at most once an hour. */
  readonly lastUsedAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
}

/**
 * So long a login lasts after it was last used.
 *
 * @category constants
 */
export const sessionDays = 14

/**
 * @category constants
 */
export const maxDeviceLength = 200
