import { SignInRequests, StaffSessions } from "@trailbook/core/staff"
import { emailAddress } from "@trailbook/core/wire"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import { form } from "@trailbook/http/request/form"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { checkFormOrigin } from "../checkFormOrigin.ts"
import { get, post } from "../defineRoute.ts"
import { toRelyingParty } from "../passkey/relyingParty.ts"
import { makeRenderError } from "../renderError.ts"
import { makeRenderPages } from "../renderPages.ts"
import { seeOther } from "../seeOther.ts"
import type { Site } from "../Site.ts"
import { siteRoot } from "../siteRoot.ts"
import { parseNext } from "./nextPath.ts"
import type { StaffAuth } from "./StaffAuth.ts"

/** Creates the routes for sign-in by mailed link and for sign-out. */
export const signInRoutes = (site: Site, who: StaffAuth) =>
  Effect.gen(function*() {
    const logins = yield* StaffSessions
    const requests = yield* SignInRequests
    const { page } = makeRenderPages(site, () => import("./SignInPages.tsx"))
    const all = { caller: "anyone", failed: makeRenderError(site) } as const
    const read = { ...all, limits: [IpRateLimit.make({ times: 120 })] }
    const sent = { ...all, body: form, refuse: checkFormOrigin(site) }
    // Each of these requests sends an email.
    const few = { ...sent, limits: [IpRateLimit.make({ times: 5, minutes: 15 })] }
    // All staff members in an office can share one IP address. Guessing is not feasible, because the secret has 250
    // bits.
    const several = { ...sent, limits: [IpRateLimit.make({ times: 30, minutes: 15 })] }

    const nowhere = (request: Request) => page(503, request, ({ noAccessPage }, shown) => noAccessPage(shown))
    const linkExpired = (request: Request) => page(410, request, ({ linkExpiredPage }, shown) => linkExpiredPage(shown))
    const hasPasskeys = (request: Request) => toRelyingParty(site, request) !== undefined

    return [
      get(read, "/sign-in", "signIn.page", ({ request }) =>
        Effect.gen(function*() {
          const next = parseNext(new URL(request.url).searchParams.get("next"))
          const already = yield* Effect.option(who.signedIn(request))
          if (already._tag === "Some") return seeOther(site.link(next ?? "/dashboard"))
          if (siteRoot(site, request) === undefined) return yield* nowhere(request)
          return yield* page(
            200,
            request,
            ({ emailPage }, shown) => emailPage(shown, { next, hasPasskeys: hasPasskeys(request) })
          )
        })),
      post(few, "/sign-in", "signIn.ask", ({ body, request }) =>
        Effect.gen(function*() {
          const root = siteRoot(site, request)
          if (root === undefined) return yield* nowhere(request)
          const next = parseNext(body.next)
          const typed = body.email ?? ""
          const email = emailAddress(typed)
          if (email === undefined) {
            const state = { email: typed.slice(0, 254), isWrong: true, next, hasPasskeys: hasPasskeys(request) }
            return yield* page(422, request, ({ emailPage }, shown) => emailPage(shown, state))
          }
          yield* requests.ask({ email, next, url: (secret) => `${root}/sign-in/${secret}` })
          return yield* page(200, request, ({ sentPage }, shown) => sentPage(shown, email, next))
        })),
      get(
        read,
        "/sign-in/:link",
        "signIn.link",
        ({ param, request }) =>
          Effect.matchEffect(logins.look(param("link")), {
            onFailure: () => linkExpired(request),
            onSuccess: ({ email }) => page(200, request, ({ linkPage }, shown) => linkPage(shown, email))
          })
      ),
      post(several, "/sign-in/:link", "signIn.spend", ({ param, request }) =>
        Effect.gen(function*() {
          const device = request.headers.get("user-agent") ?? ""
          const spent = yield* Effect.either(logins.spend({ secret: param("link"), device }))
          if (spent._tag === "Left") return yield* linkExpired(request)
          const { next, secret } = spent.right
          return yield* who.signIn(request, secret, parseNext(next))
        })),
      post(sent, "/sign-out", "signIn.out", ({ request }) =>
        Effect.as(who.end(request), seeOther(site.link("/sign-in"), { "set-cookie": who.cookie.forget })))
    ] as ReadonlyArray<AnyRoute>
  })
