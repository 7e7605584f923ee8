/**
 * The page that a QR code opens, `/c/{token}`. Everyone sees the outfitter's name. If one of the outfitter's staff
 * members is signed in, the page redirects to the booking, where the guests can be checked in. Opening the page changes
 * nothing.
 */
import type { Refusal } from "@trailbook/core"
import type { VisitorActor } from "@trailbook/core/actor"
import { GuestAccess } from "@trailbook/core/booking"
import { publicPageGet } from "@trailbook/core/operation"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import type { UnauthenticatedRequest } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { get, seeOther } from "../defineRoute.ts"
import { makeOperationCaller } from "../operationCaller.ts"
import { makeErrorRenderer, makePageRenderer } from "../pageRenderer.ts"
import type { StaffAuth } from "../signIn/StaffAuth.ts"
import type { Site } from "../Site.ts"

/** Creates the rate limit for clients that guess secrets in URLs. Requests with valid secrets are not limited. */
export const makeGuessLimit = () => {
  const unknown = IpRateLimit.make({ times: 30 })
  return <A>(address: UnauthenticatedRequest["address"], lookup: Effect.Effect<A, Refusal<"not_found">>) =>
    Effect.catchAll(
      lookup,
      (refusal) =>
        Effect.flatMap(
          currentTime,
          (now): Effect.Effect<never, Refusal<"not_found" | "rate_limited">> =>
            Effect.fail(IpRateLimit.checkIpLimits([unknown], address, now) ?? refusal)
        )
    )
}

const scopes = new Set(["visit"] as const)

/** Creates the routes. `who` is undefined on servers without the dashboard, where no staff member is recognized. */
export const checkInRoutes = (site: Site, who?: StaffAuth) =>
  Effect.gen(function*() {
    const { findByCheckInToken } = yield* GuestAccess
    const run = yield* makeOperationCaller
    const { pageOf } = makePageRenderer(site, () => import("./pages.ts"))
    const limit = makeGuessLimit()
    const visitor = {
      scope: "visit",
      find: ({ address, param }: UnauthenticatedRequest) =>
        limit(address, findByCheckInToken(param("token"))).pipe(
          Effect.map(({ orgId }): VisitorActor => ({ _tag: "Visitor", source: "widget", orgId, scopes }))
        )
    } as const
    const defaults = {
      caller: visitor,
      limits: [IpRateLimit.make({ times: 240 })],
      renderError: makeErrorRenderer(site)
    }
    return [
      get(defaults, "/c/:token", "checkIn.page", ({ actor: { orgId }, param, request }) =>
        Effect.gen(function*() {
          const staff = who && (yield* Effect.option(who.authenticate(request)))
          if (staff?._tag === "Some" && staff.value.actor.orgId === orgId) {
            const { id } = yield* findByCheckInToken(param("token"))
            return seeOther(site.link(`/dashboard/bookings/${id}`))
          }
          const { org } = yield* run(publicPageGet, { offerings: false })
          return yield* pageOf(200, request, org, ({ checkInPage }, context) => checkInPage(context))
        }))
    ]
  })
