import { SignInRequests, StaffSessions } from "@trailbook/core/staff"
import { parseEmailAddress } from "@trailbook/core/wire"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import { formBody } from "@trailbook/http/request/formBody"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { checkFormOrigin, get, post, seeOther } from "../defineRoute.ts"
import { makeErrorRenderer, makePageRenderer } from "../pageRenderer.ts"
import { toRelyingParty } from "../passkey/routes.ts"
import { getSiteRoot, type Site } from "../Site.ts"
import { parseNextPath, type StaffAuth } from "./StaffAuth.ts"

/** Creates the routes for sign-in by mailed link and for sign-out. */
export const signInRoutes = (site: Site, staffAuth: StaffAuth) =>
  Effect.gen(function*() {
    const logins = yield* StaffSessions
    const requests = yield* SignInRequests
    const { page } = makePageRenderer(site, () => import("./SignInPages.tsx"))
    const defaults = { caller: "anyone", renderError: makeErrorRenderer(site) } as const
    const readDefaults = { ...defaults, limits: [IpRateLimit.make({ times: 120 })] }
    const formDefaults = { ...defaults, body: formBody, refuse: checkFormOrigin(site) }
    // Each of these requests sends an email.
    const mailDefaults = { ...formDefaults, limits: [IpRateLimit.make({ times: 5, minutes: 15 })] }
    // All staff members in an office may share one IP address. Guessing is not feasible, because the secret has 250
    // bits.
    const linkDefaults = { ...formDefaults, limits: [IpRateLimit.make({ times: 30, minutes: 15 })] }

    const renderNoAccess = (request: Request) =>
      page(503, request, ({ signInUnavailablePage }, context) => signInUnavailablePage(context))
    const renderExpired = (request: Request) =>
      page(410, request, ({ signInLinkExpiredPage }, context) => signInLinkExpiredPage(context))
    const hasPasskeys = (request: Request) => toRelyingParty(site, request) !== undefined

    return [
      get(readDefaults, "/sign-in", "signIn.page", ({ request }) =>
        Effect.gen(function*() {
          const next = parseNextPath(new URL(request.url).searchParams.get("next"))
          const currentStaff = yield* Effect.option(staffAuth.authenticate(request))
          if (currentStaff._tag === "Some") return seeOther(site.link(next ?? "/dashboard"))
          if (getSiteRoot(site, request) === undefined) return yield* renderNoAccess(request)
          return yield* page(
            200,
            request,
            ({ emailPage }, context) => emailPage(context, { next, hasPasskeys: hasPasskeys(request) })
          )
        })),
      post(mailDefaults, "/sign-in", "signIn.ask", ({ body, request }) =>
        Effect.gen(function*() {
          const root = getSiteRoot(site, request)
          if (root === undefined) return yield* renderNoAccess(request)
          const next = parseNextPath(body.next)
          const emailText = body.email ?? ""
          const email = parseEmailAddress(emailText)
          if (email === undefined) {
            const state = { email: emailText.slice(0, 254), isWrong: true, next, hasPasskeys: hasPasskeys(request) }
            return yield* page(422, request, ({ emailPage }, context) => emailPage(context, state))
          }
          yield* requests.sendLinks({ email, next, url: (secret) => `${root}/sign-in/${secret}` })
          return yield* page(200, request, ({ linkSentPage }, context) => linkSentPage(context, email, next))
        })),
      get(readDefaults, "/sign-in/:link", "signIn.link", ({ param, request }) =>
        Effect.matchEffect(logins.previewLink(param("link")), {
          onFailure: () =>
            renderExpired(request),
          onSuccess: ({ email }) =>
            page(200, request, ({ signInLinkPage }, context) =>
              signInLinkPage(context, email))
        })),
      post(linkDefaults, "/sign-in/:link", "signIn.spend", ({ param, request }) =>
        Effect.gen(function*() {
          const device = request.headers.get("user-agent") ?? ""
          const spendResult = yield* Effect.either(logins.spend({ secret: param("link"), device }))
          if (spendResult._tag === "Left") {
            return yield* renderExpired(request)
          }
          const { next, secret } = spendResult.right
          return yield* staffAuth.signIn(request, secret, parseNextPath(next))
        })),
      post(formDefaults, "/sign-out", "signIn.out", ({ request }) =>
        Effect.as(staffAuth.end(request), seeOther(site.link("/sign-in"), { "set-cookie": staffAuth.cookie.forget })))
    ] as ReadonlyArray<AnyRoute>
  })
