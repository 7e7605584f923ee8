import { type Refusal, refuse } from "@trailbook/core"
import {
  maxNextPathLength,
  type SignedInMember,
  type StaffMember,
  staffSessionDays,
  StaffSessions
} from "@trailbook/core/staff"
import { HttpFailure } from "@trailbook/http/HttpFailure"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import * as RateLimit from "@trailbook/http/limit/RateLimit"
import * as TokenBuckets from "@trailbook/http/limit/TokenBuckets"
import type { Reply } from "@trailbook/http/response/Reply"
import type { ErrorRenderer, UnauthenticatedRequest } from "@trailbook/http/Route"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { seeOther } from "../defineRoute.ts"
import { makeErrorRenderer } from "../pageRenderer.ts"
import type { Site } from "../Site.ts"

/** A signed-in staff member. `login.id` is empty if the host application authenticated the request. */
export interface CurrentStaff extends Omit<SignedInMember, "login"> {
  readonly login: Pick<SignedInMember["login"], "id" | "orgId" | "staffId">
}

/**
 * Authenticates a request through the host application, or returns undefined if the host does not recognize the
 * request.
 */
export type HostAuthenticator = (request: Request) => Effect.Effect<StaffMember | undefined, Refusal>

/** Authenticates staff members, first with the host application and then by login cookie. */
export interface StaffAuth {
  readonly cookie: LoginCookie
  readonly authenticate: (request: Request) => Effect.Effect<CurrentStaff, Refusal>
  /** Checks whether the sender of a request is still signed in. Bypasses the per-request cache. */
  readonly isStillSignedIn: (request: Request) => Effect.Effect<boolean>
  /** Ends the sign-in session that the request uses. Sessions in the host application are not affected. */
  readonly end: (request: Request) => Effect.Effect<void>
  /** Ends the previous sign-in session, sets the new login cookie, and redirects. */
  readonly signIn: (request: Request, secret: string, next: `/${string}` | null) => Effect.Effect<Reply>
  /**
   * Authenticates a route. Redirects browsers without a sign-in session to the sign-in page, and back once they sign
   * in. Each sign-in session can send {@link maxStaffRequestsPerMinute} requests per minute, from any address. Requests
   * without a sign-in session share one limit per address.
   */
  readonly find: (routeRequest: UnauthenticatedRequest) => Effect.Effect<SignedInMember["actor"], HttpFailure | Refusal>
}

/**
 * The maximum number of requests per minute. An open page refreshes itself at most every 1.5 seconds, and many people
 * in an office share one address.
 */
export const maxStaffRequestsPerMinute = 240

export const make = (
  site: Site,
  host: HostAuthenticator = noHostSignIn
): Effect.Effect<StaffAuth, never, StaffSessions> =>
  Effect.map(StaffSessions, (logins) => {
    const cookie = loginCookie(site)
    // Cache the result per request, because the page authenticates again after the route.
    const staffByRequest = new WeakMap<Request, CurrentStaff>()
    const authenticateUncached = (request: Request): Effect.Effect<CurrentStaff, Refusal> =>
      Effect.flatMap(
        host(request),
        (member) => member === undefined ? authenticateByCookie(request) : toCurrentStaff(member)
      )
    const authenticate: StaffAuth["authenticate"] = (request) => {
      const cachedStaff = staffByRequest.get(request)
      return cachedStaff === undefined
        ? Effect.tap(authenticateUncached(request), (staff) => Effect.sync(() => staffByRequest.set(request, staff)))
        : Effect.succeed(cachedStaff)
    }
    const toCurrentStaff = (member: StaffMember): Effect.Effect<CurrentStaff> =>
      Effect.map(logins.actorOf(member), (actor) => ({
        login: { id: "", orgId: member.orgId, staffId: member.id },
        member,
        actor
      }))
    const authenticateByCookie = (request: Request): Effect.Effect<CurrentStaff, Refusal> => {
      const secret = cookie.of(request)
      return secret === "" ? refuse("unauthorized", "Sign in first.") : logins.verify(secret)
    }
    const endSession = (request: Request) =>
      authenticate(request).pipe(
        Effect.flatMap(({ login: { id, orgId, staffId } }) =>
          id === "" ? Effect.void : logins.end({ orgId, id, by: { _tag: "Staff", staffId } })
        ),
        Effect.ignore
      )
    const sessionBuckets = TokenBuckets.make({
      burst: maxStaffRequestsPerMinute,
      perSecond: maxStaffRequestsPerMinute / 60
    })
    const anonymousLimit = IpRateLimit.make({ times: maxStaffRequestsPerMinute })
    return {
      cookie,
      authenticate,
      end: endSession,
      signIn: (request, secret, next) =>
        Effect.as(
          endSession(request),
          seeOther(site.link(next ?? "/dashboard"), { "set-cookie": cookie.keep(secret) })
        ),
      isStillSignedIn: (request) =>
        Effect.suspend(() => authenticateUncached(request)).pipe(
          Effect.match({ onFailure: () => false, onSuccess: () => true }),
          Effect.catchAllDefect(() => Effect.succeed(false))
        ),
      find: ({ address, request }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.matchEffect(authenticate(request), {
            onFailure: (refusal): Effect.Effect<never, HttpFailure | Refusal> =>
              Effect.fail(
                refusal.code === "unauthorized"
                  ? IpRateLimit.checkIpLimits([anonymousLimit], address, now) ?? new HttpFailure(refusal, {}, 401)
                  : refusal
              ),
            onSuccess: ({ actor, login }): Effect.Effect<SignedInMember["actor"], Refusal> => {
              // If the host application authenticated the staff member, there is no sign-in session, so the limit
              // applies per staff member.
              const bucket = sessionBuckets.take(login.id || login.staffId, now)
              return bucket.allowed ? Effect.succeed(actor) : Effect.fail(RateLimit.refuseRateLimited(bucket))
            }
          }))
    }
  })

const noHostSignIn: HostAuthenticator = () => Effect.succeed(undefined)

type LoginCookie = ReturnType<typeof loginCookie>

/**
 * Returns functions for the login cookie. The cookie is `Lax`, because browsers omit a `Strict` cookie when an OAuth
 * client redirects to the authorization page. At the root of an https origin, its name has the `__Host-` prefix,
 * which binds the cookie to this host and path.
 */
const loginCookie = (site: Site) => {
  const isSecure = site.absolute("/")?.startsWith("https:") === true
  const path = site.link("/").replace(/(?<=.)\/$/, "")
  const name = isSecure && path === "/" ? "__Host-tb_login" : "tb_login"
  const attributes = `; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`
  return {
    /** Returns the secret from the request's cookie, or an empty string. */
    of: ({ headers }: Request): string => {
      for (const pair of (headers.get("cookie") ?? "").split(";")) {
        const at = pair.indexOf("=")
        if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
      }
      return ""
    },
    /** Returns the `Set-Cookie` value that stores a secret. */
    keep: (secret: string): string => `${name}=${secret}; Max-Age=${staffSessionDays * 24 * 3600}${attributes}`,
    forget: `${name}=; Max-Age=0${attributes}`
  }
}

/**
 * Renders errors for staff pages. Unauthenticated requests are redirected to the sign-in page. If the request was a
 * GET, signing in returns the user to the requested page. Forbidden requests get a page that explains the reason.
 */
export const makeStaffErrorRenderer = (site: Site): ErrorRenderer => {
  const wrong = makeErrorRenderer(
    site,
    (request) => request.method !== "GET" && site.isForeign(request) ? "foreign" : "owners"
  )
  return (failure, context) => {
    if (failure.status !== 401) return wrong(failure, context)
    const { pathname, search } = new URL(context.request.url)
    // Searching for `/dashboard` also works if the host has not stripped the mount path.
    const path = pathname.slice(Math.max(0, pathname.indexOf("/dashboard"))) + search
    return seeOther(addNextParameter(site.link("/sign-in"), context.request.method === "GET" ? path : null))
  }
}

/**
 * Parses the path to open after sign-in. Returns null if the path is not a page on this site, because anyone can craft
 * a sign-in URL.
 */
export const parseNextPath = (text: string | null | undefined): `/${string}` | null =>
  typeof text === "string" && text.length <= maxNextPathLength &&
    /^\/(?:dashboard(?:[/?]|$)|authorize\?)[\x21-\x7e]*$/.test(text) &&
    !text.includes("\\") && !text.includes("//", 1)
    ? text as `/${string}`
    : null

/** Adds the `next` parameter to a URL. */
export const addNextParameter = (address: string, next: string | null): string =>
  next === null ? address : `${address}?${new URLSearchParams({ next }).toString()}`
