import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import type { ApiKeyScope, ApplicationActor as Acting } from "../actor/Actor.ts"
import type { Instant } from "../time/Instant.ts"
import { type OAuthRefusal, refuseOAuth } from "./OAuthClient.ts"

/** An org's approval of a client. When the grant is revoked, all of its tokens become invalid. */
export interface Grant {
  readonly id: string
  readonly orgId: string
  readonly clientId: string
  /** The client's name at the time of approval. */
  readonly name: string
  /**
   * The staff member who approved the grant. The grant never allows more than the member's current role does, and it
   * allows nothing after the member leaves.
   */
  readonly staffId: string
  readonly scopes: ReadonlyArray<ApiKeyScope>
  /** Whether the grant allows reading guests' names, contact data, and messages. */
  readonly personal: boolean
  readonly createdAt: Instant
  /** When the grant was last used, updated at most once a minute. */
  readonly lastUsedAt: Instant | null
  readonly withdrawnAt: Instant | null
}

/** An authorization code. */
export interface AuthorizationCode {
  /** The code's SHA-256 in hex, unique across all orgs. */
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

/** A token issued under a grant. It is opaque to the client. */
export interface GrantToken {
  /** The token's SHA-256 in hex, unique across all orgs. */
  readonly digest: string
  readonly orgId: string
  readonly grantId: string
  readonly kind: TokenKind
  /** Some or all of the grant's scopes. */
  readonly scopes: ReadonlyArray<ApiKeyScope>
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** For a refresh token, the time of its first use and the number of its uses. */
  readonly rotatedAt: Instant | null
  readonly uses: number
}

/** Lifetimes of codes and tokens. */
export const tokenLifetimes = { codeSeconds: 60, accessSeconds: 3600, refreshDays: 90 } as const

/** Converts a grant to an actor with these scopes. */
export const toApplicationActor = (
  { id: grantId, orgId, personal }: Grant,
  scopes: ReadonlyArray<ApiKeyScope>
): Acting => ({
  _tag: "Application",
  orgId,
  scopes: new Set(scopes),
  grantId,
  personal
})

/** An OAuth error, and whether the error revokes the grant. */
export interface GrantError {
  readonly refusal: OAuthRefusal
  readonly withdraws: boolean
}

/**
 * Redeems an authorization code. A code can be redeemed once, within 1 minute, by the client it was issued to. The
 * redirect URI must match the authorization request, and the code verifier must match the challenge.
 *
 * A code used twice has leaked, and either client could be the attacker, so the grant and all of its tokens are
 * revoked.
 */
export const redeemAuthorizationCode = (code: AuthorizationCode, { challenge, clientId, now, redirectUri }: {
  readonly now: Instant
  readonly clientId: string
  readonly redirectUri: string | undefined
  /** The challenge derived from the received verifier. */
  readonly challenge: string
}): Either.Either<AuthorizationCode, GrantError> => {
  if (code.spentAt !== null) return invalidGrant("code: was already redeemed", true)
  if (now >= code.expiresAt) return invalidGrant("code: expired after 1 minute")
  if (clientId !== code.clientId) return invalidGrant("code: belongs to another client")
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) {
    return invalidGrant("redirect_uri: must match the authorization request")
  }
  if (challenge !== code.challenge) return invalidGrant("code_verifier: does not match the code_challenge")
  return Either.right({ ...code, spentAt: now })
}

/** Returns the error for an invalid code or token. */
const invalidGrant = (message: string, withdraws = false): Either.Either<never, GrantError> =>
  Either.left({ refusal: refuseOAuth("invalid_grant", message), withdraws })

/**
 * Records that a refresh token was exchanged for a new token. In principle, a refresh token is used once. However,
 * assistants run on many machines, which can refresh concurrently, so a token can be used up to ten times within 2
 * minutes of its first use. A later use means that the token has leaked, so the grant is revoked.
 *
 * | state                        | use by its client         |
 * |------------------------------|---------------------------|
 * | unused                       | new token                 |
 * | used less than 2 minutes ago | new token, up to 10 times |
 * | used earlier                 | the grant is revoked      |
 * | expired                      | refused                   |
 */
export const rotateToken = (token: GrantToken, { isOwn, now }: {
  readonly now: Instant
  /** Whether the token was issued to this client. */
  readonly isOwn: boolean
}): Either.Either<GrantToken, GrantError> => {
  const { expiresAt, rotatedAt, uses } = token
  if (!isOwn) return invalidGrant("refresh_token: belongs to another client")
  if (now >= expiresAt) return invalidGrant("refresh_token: has expired")
  if (rotatedAt !== null && now - rotatedAt >= graceMs) return invalidGrant("refresh_token: was already used", true)
  if (uses >= maxUses) return invalidGrant(`refresh_token: was already used ${maxUses} times`)
  return Either.right({ ...token, rotatedAt: rotatedAt ?? now, uses: uses + 1 })
}

const graceMs = 2 * 60_000

const maxUses = 10

/**
 * Stores grants with their codes and tokens. Grants, codes, and tokens reference their org. Codes and tokens also
 * reference a grant in the org. Digests are unique across all orgs. A write that violates these rules fails as a
 * defect. Codes and tokens are looked up before the org is known.
 */
export class GrantStore extends Context.Tag("@trailbook/core/GrantStore")<
  GrantStore,
  {
    /** Inserts a grant, or replaces the grant with the same ID. */
    readonly put: (grant: Grant) => Effect.Effect<void>
    /** Finds a grant and locks it until the transaction ends. */
    readonly lock: (key: Key) => Effect.Effect<Option.Option<Grant>>
    /** Returns the org's grants, including revoked grants, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Grant>>
    /** Returns whether a client has an active grant in any org. */
    readonly isApproved: (clientId: string) => Effect.Effect<boolean>
    /** Updates only the time of the last use. */
    readonly touch: (key: Key, at: Instant) => Effect.Effect<void>
    /** Inserts a code, or replaces the code with the same digest. */
    readonly putCode: (code: AuthorizationCode) => Effect.Effect<void>
    /** Finds a code and locks it until the transaction ends. */
    readonly lockCode: (digest: string) => Effect.Effect<Option.Option<AuthorizationCode>>
    /** Inserts a token, or replaces the token with the same digest. */
    readonly putToken: (token: GrantToken) => Effect.Effect<void>
    /** Finds a token and locks it until the transaction ends. */
    readonly lockToken: (digest: string) => Effect.Effect<Option.Option<GrantToken>>
    /** Finds a token with its grant. */
    readonly findToken: (
      digest: string
    ) => Effect.Effect<Option.Option<{ readonly token: GrantToken; readonly grant: Grant }>>
    /** Deletes a grant's codes and tokens that expired before this time. */
    readonly removeExpired: (key: Key, before: Instant) => Effect.Effect<void>
  }
>() {}

type Key = Pick<Grant, "orgId" | "id">
