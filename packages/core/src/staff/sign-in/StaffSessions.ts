/**
 * Manages sign-in links and browser sessions. A link works once and starts a session whose secret is stored in a
 * browser cookie. The database stores only digests.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Scope, StaffActor } from "../../actor/Actor.ts"
import type { Org } from "../../org/Org.ts"
import { OrgStore } from "../../org/Orgs.ts"
import { failIfNotFound } from "../../port/failIfNotFound.ts"
import { Ids } from "../../port/Ids.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { type Refusal, refuse } from "../../Refusal.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import { type AuditActor, AuditLog } from "../AuditLog.ts"
import { roleScopes, type StaffMember, StaffStore } from "../StaffMember.ts"
import {
  computeStaffSessionExpiry,
  endStaffSession,
  isStaffSessionOpen,
  maxDeviceLength,
  maxNextPathLength,
  recordStaffSessionUse,
  redeemSignInLink,
  type SignInLink,
  signInLinkMinutes,
  type SignInMethod,
  type StaffSession,
  StaffSessionStore
} from "./StaffSession.ts"

/** A signed-in staff member. */
export interface SignedInMember {
  readonly login: StaffSession
  readonly member: StaffMember
  readonly actor: StaffActor
}

export class StaffSessions extends Context.Tag("@trailbook/core/StaffSessions")<
  StaffSessions,
  {
    /**
     * Creates a link and returns its secret, which cannot be read again. By default, it expires after
     * {@link signInLinkMinutes}.
     */
    readonly link: (
      input: Pick<SignInLink, "orgId" | "staffId"> & {
        readonly next?: string | null | undefined
        readonly minutes?: number | undefined
      }
    ) => Effect.Effect<string>
    /** Returns the staff member that the link would sign in, without using up the link. */
    readonly previewLink: (secret: string) => Effect.Effect<StaffMember, Refusal<"unauthorized">>
    /**
     * Signs in with a link, which cannot be used again. `secret` is the new session's secret and cannot be read again.
     */
    readonly spend: (input: { readonly secret: string; readonly device: string }) => Effect.Effect<
      SignedInMember & { readonly secret: string; readonly next: string | null },
      Refusal<"unauthorized">
    >
    /** Starts a session for a staff member who was authenticated without a link, for example with a passkey. */
    readonly start: (input: {
      readonly member: StaffMember
      readonly way: SignInMethod
      readonly device: string
    }) => Effect.Effect<SignedInMember & { readonly secret: string }>
    /** Returns a staff member's actor, with the scopes that their role and the org's settings grant. */
    readonly actorOf: (member: StaffMember) => Effect.Effect<StaffActor>
    /** Returns the staff member who owns the session. All failures return the same error. */
    readonly verify: (secret: string) => Effect.Effect<SignedInMember, Refusal<"unauthorized">>
    /** Returns the org's valid sessions, newest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<StaffSession>>
    /** Ends the session, effective from the next request. Repeated calls have no effect. */
    readonly end: (
      input: Pick<StaffSession, "orgId" | "id"> & { readonly by: AuditActor }
    ) => Effect.Effect<StaffSession, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(StaffSessions, Effect.suspend(() => makeStaffSessions))
}

const makeStaffSessions = Effect.gen(function*() {
  const store = yield* StaffSessionStore
  const staff = yield* StaffStore
  const audit = yield* AuditLog
  const orgs = yield* OrgStore
  const ids = yield* Ids
  const { run } = yield* UnitOfWork

  /** Reads the org's settings on each request, but only for a role whose scopes depend on them. */
  const actorOf = (member: StaffMember) =>
    roleScopes[member.role].has("refund")
      ? Effect.succeed(toActor(member))
      : Effect.map(orgs.find(member.orgId), (org) => toActor(member, Option.getOrUndefined(org)))

  const findMember = ({ orgId, staffId }: Pick<StaffSession, "orgId" | "staffId">) =>
    Effect.map(staff.list(orgId), (members) => members.find(({ id }) => id === staffId))

  const start = ({ device, member, way }: Parameters<StaffSessions["Type"]["start"]>[0]) =>
    Effect.gen(function*() {
      const now = yield* currentTime
      const secret = ids.token(secretLength)
      const { id: staffId, orgId } = member
      const login: StaffSession = {
        id: ids.uuid(),
        orgId,
        staffId,
        digest: ids.digest(secret),
        way,
        device: [...device].slice(0, maxDeviceLength).join(""),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: computeStaffSessionExpiry(now),
        endedAt: null
      }
      yield* store.removeOver({ orgId, staffId }, Instant.addMinutes(now, -dayMinutes))
      yield* store.put(login)
      yield* audit.addAndNotify({
        orgId,
        by: { _tag: "Staff", staffId },
        what: "login.started",
        subject: login.id,
        name: way
      })
      return { login, member, actor: yield* actorOf(member), secret }
    })

  /** Marks the link as used and returns it with the staff member. */
  const useLink = (secret: string) =>
    Effect.gen(function*() {
      const lockedLink = yield* store.lockLink(ids.digest(secret))
      if (Option.isNone(lockedLink)) return yield* refuse("unauthorized", invalidLinkMessage)
      const link = yield* redeemSignInLink(lockedLink.value, yield* currentTime)
      const member = yield* findMember(link)
      return member === undefined ? yield* refuse("unauthorized", invalidLinkMessage) : { link, member }
    })

  return StaffSessions.of({
    link: ({ minutes = signInLinkMinutes, next = null, orgId, staffId }) =>
      run(Effect.gen(function*() {
        const createdAt = yield* currentTime
        const secret = ids.token(secretLength)
        yield* store.removeOver({ orgId, staffId }, Instant.addMinutes(createdAt, -dayMinutes))
        yield* store.putLink({
          digest: ids.digest(secret),
          orgId,
          staffId,
          next: next !== null && next.length > maxNextPathLength ? null : next,
          createdAt,
          expiresAt: Instant.addMinutes(createdAt, minutes),
          spentAt: null
        })
        return secret
      })),
    previewLink: (secret) => run(Effect.map(useLink(secret), ({ member }) => member)),
    spend: ({ device, secret }) =>
      run(Effect.gen(function*() {
        const { link, member } = yield* useLink(secret)
        yield* store.putLink(link)
        return { ...(yield* start({ member, way: "link", device })), next: link.next }
      })),
    start: (input) => run(start(input)),
    actorOf,
    verify: (secret) =>
      Effect.gen(function*() {
        const storedLogin = yield* store.find(ids.digest(secret))
        if (Option.isNone(storedLogin)) return yield* signInRequired
        const login = yield* recordStaffSessionUse(storedLogin.value, yield* currentTime)
        const member = yield* findMember(storedLogin.value)
        if (member === undefined) return yield* signInRequired
        // Update only the last use, so that this write cannot reopen a session that is being ended concurrently.
        if (login !== storedLogin.value) yield* store.touch(login)
        return { login, member, actor: yield* actorOf(member) }
      }),
    list: (orgId) =>
      Effect.zipWith(
        store.list(orgId),
        currentTime,
        (sessions, now) => sessions.filter((login) => isStaffSessionOpen(login, now)).toReversed()
      ),
    end: ({ by, id, orgId }) =>
      run(Effect.gen(function*() {
        const login = yield* Effect.flatMap(store.lock({ orgId, id }), failIfNotFound("sign-in session", id))
        const endedLogin = endStaffSession(login, yield* currentTime)
        if (endedLogin === login) return login
        yield* store.put(endedLogin)
        yield* audit.addAndNotify({ orgId, by, what: "login.ended", subject: id, name: login.way })
        return endedLogin
      }))
  })
})

const toActor = ({ id, orgId, role }: StaffMember, org?: Org): StaffActor => ({
  _tag: "Staff",
  orgId,
  scopes: org?.staffMayRefund === true ? new Set<Scope>([...roleScopes[role], "refund"]) : roleScopes[role],
  staffId: id
})

/** The number of base62 characters in a secret, for about 250 bits of entropy. */
const secretLength = 42

/** The number of minutes that expired links and sessions are kept. */
const dayMinutes = 24 * 60

const invalidLinkMessage = "This sign-in link is invalid or has expired. Request a new link."

const signInRequired = refuse("unauthorized", "Sign in first.")
