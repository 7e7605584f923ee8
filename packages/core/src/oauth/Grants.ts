/**
 * Authorizes OAuth clients. An owner approves a client. The client exchanges a code for tokens, and later a refresh
 * token for new tokens. All credentials are opaque and are checked against the database, so a revocation takes effect
 * on the next request.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ApiKeyScope, ApplicationActor as Acting } from "../actor/Actor.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import { type AuditActor, AuditLog } from "../staff/AuditLog.ts"
import { roleScopes, StaffStore } from "../staff/StaffMember.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import {
  type AuthorizationRequest,
  isCodeVerifier,
  parseRequestedScopes,
  toCodeChallenge
} from "./AuthorizationRequest.ts"
import {
  type Grant,
  type GrantError,
  GrantStore,
  type GrantToken,
  redeemAuthorizationCode,
  rotateToken,
  toApplicationActor,
  tokenLifetimes
} from "./Grant.ts"
import { type OAuthClient, type OAuthRefusal, refuseOAuth } from "./OAuthClient.ts"

/** New tokens. Tokens are stored only as digests, so they cannot be read back. */
export interface TokenResponse {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
  readonly scopes: ReadonlyArray<ApiKeyScope>
}

export class Grants extends Context.Tag("@trailbook/core/Grants")<
  Grants,
  {
    /** Creates a grant and returns its authorization code. */
    readonly approve: (input: {
      readonly orgId: string
      readonly staffId: string
      readonly application: OAuthClient
      readonly request: AuthorizationRequest
      /** A nonempty subset of the requested scopes. */
      readonly scopes: ReadonlyArray<ApiKeyScope>
      readonly personal: boolean
    }) => Effect.Effect<string>
    readonly redeem: (input: {
      readonly code: string
      readonly clientId: string
      readonly redirectUri: string | undefined
      readonly verifier: string
    }) => Effect.Effect<TokenResponse, OAuthRefusal>
    readonly refresh: (input: {
      readonly refreshToken: string
      readonly clientId: string
      readonly scope: string | undefined
    }) => Effect.Effect<TokenResponse, OAuthRefusal>
    /** Revokes a token's grant if it belongs to this client. Unknown tokens are ignored. */
    readonly revoke: (input: { readonly token: string; readonly clientId: string }) => Effect.Effect<void>
    /**
     * Returns the actor for an access token, with the scopes that the approver's current role allows. All failures
     * return the same error.
     */
    readonly verify: (accessToken: string) => Effect.Effect<Acting, Refusal<"unauthorized">>
    /**
     * Returns a grant's actor, with the scopes that the approver's current role allows. Returns undefined if the grant
     * was revoked.
     */
    readonly find: (key: Pick<Grant, "orgId" | "id">) => Effect.Effect<Acting | undefined>
    /** Returns the org's active grants, newest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Grant>>
    /** Revokes a grant and all of its tokens, effective on the next request. A repeated call changes nothing. */
    readonly withdraw: (
      input: Pick<Grant, "orgId" | "id"> & { readonly by: AuditActor }
    ) => Effect.Effect<Grant, Refusal<"not_found">>
    /** Returns whether a client has an active grant in any org. */
    readonly isApproved: GrantStore["Type"]["isApproved"]
  }
>() {
  static readonly layer = Layer.effect(Grants, Effect.suspend(() => makeGrants))
}

const makeGrants = Effect.gen(function*() {
  const store = yield* GrantStore
  const staff = yield* StaffStore
  const audit = yield* AuditLog
  const ids = yield* Ids
  const { run } = yield* UnitOfWork

  const withdrawGrant = (grant: Grant, by: AuditActor) =>
    Effect.gen(function*() {
      const { id, name, orgId, withdrawnAt } = grant
      if (withdrawnAt !== null) return grant
      const withdrawnGrant = { ...grant, withdrawnAt: yield* currentTime }
      yield* store.put(withdrawnGrant)
      yield* audit.addAndNotify({ orgId, by, what: "application.withdrawn", subject: id, name })
      return withdrawnGrant
    })

  /**
   * Filters the scopes of a grant or token by the approver's current role, which may have been lowered since the
   * approval. Returns an empty list if the approver has left the org.
   */
  const loadAllowedScopes = ({ orgId, staffId }: Grant, scopes: ReadonlyArray<ApiKeyScope>) =>
    Effect.map(staff.list(orgId), (members): ReadonlyArray<ApiKeyScope> => {
      const member = members.find(({ id }) => id === staffId)
      return member === undefined ? [] : scopes.filter((scope) => roleScopes[member.role].has(scope))
    })

  /**
   * Locks a grant and returns it with its currently allowed scopes. Returns undefined if the grant is missing or
   * revoked, or allows no scope.
   */
  const lockGrant = ({ grantId: id, orgId }: Pick<GrantToken, "grantId" | "orgId">) =>
    Effect.gen(function*() {
      const lockedGrant = yield* store.lock({ orgId, id })
      if (Option.isNone(lockedGrant) || lockedGrant.value.withdrawnAt !== null) return undefined
      const grant = lockedGrant.value
      const scopes = yield* loadAllowedScopes(grant, grant.scopes)
      return scopes.length === 0 ? undefined : { grant, scopes }
    })

  const issue = ({ id: grantId, orgId }: Grant, scopes: ReadonlyArray<ApiKeyScope>) =>
    Effect.gen(function*() {
      const createdAt = yield* currentTime
      const makeToken = (kind: GrantToken["kind"], minutes: number, scopes: ReadonlyArray<ApiKeyScope>) =>
        Effect.gen(function*() {
          const text = prefixes[kind] + ids.token(secretLength)
          const expiresAt = Instant.addMinutes(createdAt, minutes)
          yield* store.putToken({
            digest: ids.digest(text),
            orgId,
            grantId,
            kind,
            scopes,
            createdAt,
            expiresAt,
            rotatedAt: null,
            uses: 0
          })
          return text
        })
      yield* store.removeExpired({ orgId, id: grantId }, createdAt)
      const accessToken = yield* makeToken("access", tokenLifetimes.accessSeconds / 60, scopes)
      const refreshToken = yield* makeToken("refresh", tokenLifetimes.refreshDays * 24 * 60, scopes)
      return { accessToken, refreshToken, expiresInSeconds: tokenLifetimes.accessSeconds, scopes }
    })

  /**
   * Runs a transaction that can revoke the grant. An error inside the transaction would roll back the revocation,
   * so the transaction returns the refusal as a value, and the effect fails after the commit.
   */
  const runGrant = (work: Effect.Effect<Either.Either<TokenResponse, OAuthRefusal>, OAuthRefusal>) =>
    Effect.flatMap(run(work), (result) => result)

  const recordRefusal = (orgId: string, grantId: string, { refusal, withdraws }: GrantError) =>
    Effect.gen(function*() {
      if (withdraws) {
        const lockedGrant = yield* store.lock({ orgId, id: grantId })
        if (Option.isSome(lockedGrant)) yield* withdrawGrant(lockedGrant.value, { _tag: "Service" })
      }
      return Either.left(refusal)
    })

  // The last use that this process recorded for each grant. The map ensures that a burst of requests causes only
  // one write.
  const lastUses = new Map<string, Instant.Instant>()
  const recordUse = ({ id, lastUsedAt, orgId }: Grant, now: Instant.Instant) => {
    if (now - (lastUses.get(id) ?? lastUsedAt ?? 0) < minuteMs) return Effect.void
    // Clearing the map is safe: without an entry, the stored time of the last use is checked.
    if (lastUses.size >= maxLastUses) lastUses.clear()
    lastUses.set(id, now)
    // Write in the background so that a busy writer does not delay a read.
    return Effect.asVoid(Effect.forkDaemon(store.touch({ orgId, id }, now)))
  }

  return Grants.of({
    approve: ({ application, orgId, personal, request, scopes, staffId }) =>
      run(Effect.gen(function*() {
        const createdAt = yield* currentTime
        const id = ids.uuid()
        const code = prefixes.code + ids.token(secretLength)
        const { clientId, name } = application
        yield* store.put({
          id,
          orgId,
          clientId,
          name,
          staffId,
          scopes,
          personal,
          createdAt,
          lastUsedAt: null,
          withdrawnAt: null
        })
        yield* store.putCode({
          digest: ids.digest(code),
          orgId,
          grantId: id,
          clientId,
          redirectUri: request.redirectUri,
          challenge: request.challenge,
          createdAt,
          expiresAt: Instant.make(createdAt + tokenLifetimes.codeSeconds * 1000),
          spentAt: null
        })
        const by = { _tag: "Staff", staffId } as const
        yield* audit.addAndNotify({ orgId, by, what: "application.approved", subject: id, name })
        return code
      })),
    redeem: ({ clientId, code: text, redirectUri, verifier }) =>
      runGrant(Effect.gen(function*() {
        if (!isCodeVerifier(verifier)) {
          return yield* refuseOAuth("invalid_request", "code_verifier: must be 43 to 128 letters, digits or -._~")
        }
        const lockedCode = yield* store.lockCode(ids.digest(text))
        if (Option.isNone(lockedCode)) return yield* refuseOAuth("invalid_grant", "code: is unknown")
        const { grantId, orgId } = lockedCode.value
        const now = yield* currentTime
        const challenge = toCodeChallenge(ids, verifier)
        const redemption = redeemAuthorizationCode(lockedCode.value, { now, clientId, redirectUri, challenge })
        if (Either.isLeft(redemption)) return yield* recordRefusal(orgId, grantId, redemption.left)
        const current = yield* lockGrant(lockedCode.value)
        if (current === undefined) return yield* withdrawnRefusal
        yield* store.putCode(redemption.right)
        return Either.right(yield* issue(current.grant, current.scopes))
      })),
    refresh: ({ clientId, refreshToken, scope }) =>
      runGrant(Effect.gen(function*() {
        const lockedToken = yield* store.lockToken(ids.digest(refreshToken))
        if (Option.isNone(lockedToken) || lockedToken.value.kind !== "refresh") {
          return yield* refuseOAuth("invalid_grant", "refresh_token: is unknown")
        }
        const token = lockedToken.value
        const current = yield* lockGrant(token)
        const scopes = token.scopes.filter((scope) => current?.scopes.includes(scope))
        if (current === undefined || scopes.length === 0) return yield* withdrawnRefusal
        const { grant } = current
        const isOwn = grant.clientId === clientId
        const rotation = rotateToken(token, { now: yield* currentTime, isOwn })
        if (Either.isLeft(rotation)) return yield* recordRefusal(grant.orgId, grant.id, rotation.left)
        const requestedScopes = scope === undefined ? scopes : yield* parseRequestedScopes(scope)
        if (!requestedScopes.every((scope) => scopes.includes(scope))) {
          return yield* refuseOAuth("invalid_scope", `scope: must contain only ${scopes.join(", ")}`)
        }
        yield* store.putToken(rotation.right)
        return Either.right(yield* issue(grant, requestedScopes))
      })),
    revoke: ({ clientId, token }) =>
      run(Effect.gen(function*() {
        const lockedToken = yield* store.lockToken(ids.digest(token))
        if (Option.isNone(lockedToken)) return
        const { grantId: id, orgId } = lockedToken.value
        const grant = Option.getOrUndefined(yield* store.lock({ orgId, id }))
        if (grant?.clientId === clientId) yield* withdrawGrant(grant, { _tag: "Application", grantId: id })
      })),
    verify: (text) =>
      Effect.gen(function*() {
        if (!isAccessToken(text)) return yield* unauthorized
        const match = yield* store.findToken(ids.digest(text))
        if (Option.isNone(match)) return yield* unauthorized
        const { grant, token } = match.value
        const now = yield* currentTime
        const isValid = token.kind === "access" && now < token.expiresAt && grant.withdrawnAt === null
        const scopes = isValid ? yield* loadAllowedScopes(grant, token.scopes) : []
        if (scopes.length === 0) return yield* unauthorized
        yield* recordUse(grant, now)
        return toApplicationActor(grant, scopes)
      }),
    find: ({ id, orgId }) =>
      Effect.flatMap(store.list(orgId), (grants) => {
        const grant = grants.find((one) => one.id === id && one.withdrawnAt === null)
        return grant === undefined
          ? Effect.succeed(undefined)
          : Effect.map(loadAllowedScopes(grant, grant.scopes), (scopes) => toApplicationActor(grant, scopes))
      }),
    list: (orgId) =>
      Effect.map(store.list(orgId), (grants) => grants.filter(({ withdrawnAt }) => withdrawnAt === null).toReversed()),
    withdraw: ({ by, id, orgId }) =>
      run(
        Effect.flatMap(
          Effect.flatMap(store.lock({ orgId, id }), failIfNotFound("application", id)),
          (grant) => withdrawGrant(grant, by)
        )
      ),
    isApproved: store.isApproved
  })
})

/** Returns whether a string looks like an access token, as opposed to an API key. */
export const isAccessToken = (text: string): boolean => text.startsWith(prefixes.access)

/** The prefixes let secret scanners and people recognize the credentials. */
const prefixes = { code: "tb_code_", access: "tb_access_", refresh: "tb_refresh_" } as const

/** The number of base62 characters in a secret, which gives about 250 bits of entropy. */
const secretLength = 42

const minuteMs = 60_000

const maxLastUses = 10_000

const withdrawnRefusal = refuseOAuth("invalid_grant", "The outfitter revoked this application's access.")

const unauthorized = refuse("unauthorized", "Send a valid access token as Authorization: Bearer <token>.")
