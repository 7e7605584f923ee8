import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import { type Refusal, refuse } from "../../Refusal.ts"
import * as Instant from "../../time/Instant.ts"

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
  readonly createdAt: Instant.Instant
  readonly expiresAt: Instant.Instant
  readonly spentAt: Instant.Instant | null
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
  now: Instant.Instant
): Either.Either<SignInLink, Refusal<"unauthorized">> => {
  if (link.spentAt !== null) return Either.left(refuse("unauthorized", usedLink))
  return now < link.expiresAt
    ? Either.right({ ...link, spentAt: now })
    : Either.left(refuse("unauthorized", oldLink))
}

const usedLink = "This sign-in link was already used. Request a new link."

const oldLink = "This sign-in link has expired. Request a new link."

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
  /** The browser's user agent, at most 200 characters, shown in the list of sessions. */
  readonly device: string
  readonly createdAt: Instant.Instant
  /** The time of the last use, updated at most once an hour. */
  readonly lastUsedAt: Instant.Instant
  readonly expiresAt: Instant.Instant
  readonly endedAt: Instant.Instant | null
}

/** The number of days that a session stays valid after its last use. */
export const staffSessionDays = 14

export const maxDeviceLength = 200

/** Returns whether the session is valid. */
export const isStaffSessionOpen = ({ endedAt, expiresAt }: StaffSession, now: Instant.Instant): boolean =>
  endedAt === null && now < expiresAt

/** Returns the time when a session last used at `at` expires. */
export const computeStaffSessionExpiry = (at: Instant.Instant): Instant.Instant =>
  Instant.addMinutes(at, staffSessionDays * 24 * 60)

/** Records a use at most once an hour. Rejects a session that has ended or expired. */
export const recordStaffSessionUse = (
  login: StaffSession,
  now: Instant.Instant
): Either.Either<StaffSession, Refusal<"unauthorized">> => {
  if (!isStaffSessionOpen(login, now)) return Either.left(refuse("unauthorized", "Sign in first."))
  return Either.right(
    now - login.lastUsedAt < hourMs ? login : { ...login, lastUsedAt: now, expiresAt: computeStaffSessionExpiry(now) }
  )
}

const hourMs = 3_600_000

/** Ends a session if it is open. */
export const endStaffSession = (login: StaffSession, now: Instant.Instant): StaffSession =>
  isStaffSessionOpen(login, now) ? { ...login, endedAt: now } : login

/**
 * Stores sign-in links and browser sessions. Links and sessions reference their org, and their digests are unique
 * across all orgs. A write that violates these rules fails as a defect. Links and sessions are looked up before the org
 * is known.
 */
export class StaffSessionStore extends Context.Tag("@trailbook/core/StaffSessionStore")<
  StaffSessionStore,
  {
    /** Inserts a link, or replaces the one with the same digest. */
    readonly putLink: (link: SignInLink) => Effect.Effect<void>
    /** Finds a link and locks it until the transaction ends. */
    readonly lockLink: (digest: string) => Effect.Effect<Option.Option<SignInLink>>
    /** Returns a staff member's links, oldest first. */
    readonly links: (person: Person) => Effect.Effect<ReadonlyArray<SignInLink>>
    /** Inserts a session, or replaces the one with the same ID. */
    readonly put: (login: StaffSession) => Effect.Effect<void>
    /** Updates only the time of the last use and the expiry. */
    readonly touch: (login: Pick<StaffSession, "orgId" | "id" | "lastUsedAt" | "expiresAt">) => Effect.Effect<void>
    /** Finds a session and locks it until the transaction ends. */
    readonly lock: (key: Pick<StaffSession, "orgId" | "id">) => Effect.Effect<Option.Option<StaffSession>>
    readonly find: (digest: string) => Effect.Effect<Option.Option<StaffSession>>
    /** Returns all of the org's sessions, including expired and ended ones, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffSession>>
    /** Deletes a staff member's links and sessions that expired before the given time. */
    readonly removeOver: (person: Person, before: Instant.Instant) => Effect.Effect<void>
    /** Deletes all of a staff member's links and sessions and leaves no copy in the database. */
    readonly removeOf: (person: { readonly orgId: string; readonly id: string }) => Effect.Effect<void>
  }
>() {}

type Person = Pick<StaffSession, "orgId" | "staffId">
