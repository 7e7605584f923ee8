import type { Application as Acting, KeyScope } from "../actor/Actor.ts"
import type { Instant } from "../time/Instant.ts"

/** The approval of a client by an org, with its permissions and its approver. All of its tokens end with it. */
export interface Grant {
  readonly id: string
  readonly orgId: string
  readonly clientId: string
  /** The name of the client at the time of the approval. */
  readonly name: string
  /**
   * The staff member who approved it. The grant never allows more than their current role, and nothing once they leave.
   */
  readonly staffId: string
  readonly scopes: ReadonlyArray<KeyScope>
  /** Whether it can read the names, contact data, and messages of guests. */
  readonly personal: boolean
  readonly createdAt: Instant
  /** Updated at most once a minute. */
  readonly lastUsedAt: Instant | null
  readonly withdrawnAt: Instant | null
}

/** An authorization code. */
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

export const tokenKinds = ["access", "refresh"] as const

export type TokenKind = (typeof tokenKinds)[number]

/** A token of a grant. It is opaque to the client. */
export interface Token {
  /** SHA-256 of the token, in hex. Unique in the whole service. */
  readonly digest: string
  readonly orgId: string
  readonly grantId: string
  readonly kind: TokenKind
  /** The scopes of the grant, or a subset. */
  readonly scopes: ReadonlyArray<KeyScope>
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** For refresh tokens: the time of the first use, and the number of uses since. */
  readonly rotatedAt: Instant | null
  readonly uses: number
}

/** Lifetimes of codes and tokens. */
export const tokenLifetimes = { codeSeconds: 60, accessSeconds: 3600, refreshDays: 90 } as const

/** Converts a grant with these scopes to the actor of an operation. */
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
