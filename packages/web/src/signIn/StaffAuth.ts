import { type Refusal, refuse } from "@trailbook/core/Refusal"
import type { StaffMember } from "@trailbook/core/staff/StaffMember"
import { type SignedIn, StaffSessions, toActor } from "@trailbook/core/staff/StaffSessions"
import { Failure } from "@trailbook/http/Failure"
import * as AddressLimit from "@trailbook/http/IpRateLimit"
import * as RateLimit from "@trailbook/http/RateLimit"
import type { Reply } from "@trailbook/http/Reply"
import type { UnauthenticatedRequest } from "@trailbook/http/Route"
import * as TokenBuckets from "@trailbook/http/TokenBuckets"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { seeOther } from "../seeOther.ts"
import type { Site } from "../Site.ts"
import { type LoginCookie, loginCookie } from "./cookie.ts"

/**
 * Somebody of the staff, and what they are signed in by: its id is empty, where the
 * program around the service says who they are.
 */
export interface CurrentStaff extends Omit<SignedIn, "login"> {
  readonly login: Pick<SignedIn["login"], "id" | "orgId" | "staffId">
}

/** How the program around the service says who somebody is; undefined where it does not. */
export type HostSignIn = (request: Request) => Effect.Effect<StaffMember | undefined, Refusal>

/** Who of the staff asks: the program around the service is asked first, then their cookie. */
export interface StaffAuth {
  readonly cookie: LoginCookie
  readonly signedIn: (request: Request) => Effect.Effect<CurrentStaff, Refusal>
  /** Asked anew: whether whoever sent a request is still signed in. */
  readonly isStill: (request: Request) => Effect.Effect<boolean>
  /** Ends what whoever sent a request is signed in by. What the program around the service opens, it closes itself. */
  readonly end: (request: Request) => Effect.Effect<void>
  /** Goes on as somebody who is signed in anew: the cookie that they had is gone, and so is what it opened. */
  readonly signIn: (request: Request, secret: string, next: `/${string}` | null) => Effect.Effect<Reply>
  /**
   * For routes: whoever is not signed in is sent to do that, and then back. Each login may ask
   * {@link ratePerMinute} times a minute, wherever it asks from, and so may all at one address who are not signed in.
   */
  readonly find: (asking: UnauthenticatedRequest) => Effect.Effect<SignedIn["actor"], Failure | Refusal>
}

/**
 * How often: a page that is looked at asks for itself again, at most every second and a half, and an office has many
 * people behind one address.
 */
export const ratePerMinute = 240

export const make = (site: Site, host: HostSignIn = nobody): Effect.Effect<StaffAuth, never, StaffSessions> =>
  Effect.map(StaffSessions, (logins) => {
    const cookie = loginCookie(site)
    // A page asks for who it is after its route has.
    const known = new WeakMap<Request, CurrentStaff>()
    const asked = (request: Request): Effect.Effect<CurrentStaff, Refusal> =>
      Effect.flatMap(
        host(request),
        (member) => member === undefined ? byCookie(request) : Effect.succeed(here(member))
      )
    const signedIn: StaffAuth["signedIn"] = (request) => {
      const found = known.get(request)
      return found === undefined
        ? Effect.tap(asked(request), (one) => Effect.sync(() => known.set(request, one)))
        : Effect.succeed(found)
    }
    const byCookie = (request: Request): Effect.Effect<CurrentStaff, Refusal> => {
      const secret = cookie.of(request)
      return secret === "" ? refuse("unauthorized", "Sign in first.") : logins.verify(secret)
    }
    const end = (request: Request) =>
      signedIn(request).pipe(
        Effect.flatMap(({ login: { id, orgId, staffId } }) =>
          id === "" ? Effect.void : logins.end({ orgId, id, by: { _tag: "Staff", staffId } })
        ),
        Effect.ignore
      )
    const ofLogins = TokenBuckets.make({ burst: ratePerMinute, perSecond: ratePerMinute / 60 })
    const ofStrangers = AddressLimit.make({ times: ratePerMinute })
    return {
      cookie,
      signedIn,
      end,
      signIn: (request, secret, next) =>
        Effect.as(
          end(request),
          seeOther(site.link(next ?? "/dashboard"), { "set-cookie": cookie.keep(secret) })
        ),
      isStill: (request) =>
        Effect.suspend(() => asked(request)).pipe(
          Effect.match({ onFailure: () => false, onSuccess: () => true }),
          Effect.catchAllDefect(() => Effect.succeed(false))
        ),
      find: ({ address, request }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.matchEffect(signedIn(request), {
            onFailure: (refusal): Effect.Effect<never, Failure | Refusal> =>
              Effect.fail(
                refusal.code === "unauthorized"
                  ? AddressLimit.checkIpLimits([ofStrangers], address, now) ?? new Failure(refusal, {}, 401)
                  : refusal
              ),
            onSuccess: ({ actor, login }): Effect.Effect<SignedIn["actor"], Refusal> => {
              // Whom the program around the service knows has no login of ours.
              const standing = ofLogins.take(login.id || login.staffId, now)
              return standing.allowed ? Effect.succeed(actor) : Effect.fail(RateLimit.rateLimited(standing))
            }
          }))
    }
  })

const nobody: HostSignIn = () => Effect.succeed(undefined)

const here = (member: StaffMember): CurrentStaff => ({
  login: { id: "", orgId: member.orgId, staffId: member.id },
  member,
  actor: toActor(member)
})
