import type { Application as Acting, KeyScope } from "../actor/Actor.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * That an org has let an application in: what it may do, who said so, and whether it
 * still holds. All of its tokens end with it.
 *
 * @category models
 */
export interface Grant {
  readonly id: string
  readonly orgId: string
  readonly clientId: string
  /** What the application called itself when it was approved. */
  readonly name: string
  /** The staff member who approved it. The grant never allows more than their current role, and nothing once they leave. */
  readonly staffId: string
  readonly scopes: ReadonlyArray<KeyScope>
  /** Whether it sees what guests are called, where they are reached and what they write. */
  readonly personal: boolean
  readonly createdAt: Instant
  /** Written at most once a minute. */
  readonly lastUsedAt: Instant | null
  readonly withdrawnAt: Instant | null
}

/**
 * A code that an application fetches its first tokens with.
 *
 * @category models
 */
export interface Code {
  /** SHA-256 of the code, in hex. Unique in the whole service. */
  readonly digest: string
  readonly orgId: string
  readonly grantId: string
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
}

/**
 * @category models
 */
export const tokenKinds = ["access", "refresh"] as const

/**
 * @category models
 */
export type TokenKind = (typeof tokenKinds)[number]

/**
 * A token of a grant. It says nothing to whoever has it.
 *
 * @category models
 */
export interface Token {
  /** SHA-256 of the token, in hex. Unique in the whole service. */
  readonly digest: string
  readonly orgId: string
  readonly grantId: string
  readonly kind: TokenKind
  /** Those of the grant, or some of them. */
  readonly scopes: ReadonlyArray<KeyScope>
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** Of a refresh token: when it was first used, and how often since. */
  readonly rotatedAt: Instant | null
  readonly uses: number
}

/**
 * How long each lasts.
 *
 * @category constants
 */
export const tokenLifetimes = { codeSeconds: 60, accessSeconds: 3600, refreshDays: 90 } as const

/**
 * Who acts by a grant with these scopes.
 *
 * @category converting
 */
export const toActor = (
  { id: grantId, orgId, personal }: Grant,
  scopes: ReadonlyArray<KeyScope>
): Acting => ({
  _tag: "Application",
  orgId,
  scopes: new Set(scopes),
  grantId,
  personal
})
