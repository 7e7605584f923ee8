/**
 * The OAuth authorization endpoint. Each step parses the request from the URL again, and nothing is stored until the
 * owner approves.
 */
import type { Refusal } from "@trailbook/core"
import { Actor, type ApiKeyScope, scopes as known } from "@trailbook/core/actor"
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  Grants,
  OAuthClients,
  parseAuthorizationRequest,
  refuseOAuth,
  resolveRedirectUri
} from "@trailbook/core/oauth"
import { orgGet } from "@trailbook/core/org"
import { maxNextPathLength } from "@trailbook/core/staff"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import { formBody } from "@trailbook/http/request/formBody"
import type { Reply } from "@trailbook/http/response/Reply"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { checkFormOrigin, get, post, seeOther } from "../defineRoute.ts"
import { makeOperationCaller } from "../operationCaller.ts"
import { makeErrorRenderer, makePageRenderer } from "../pageRenderer.ts"
import { addNextParameter, type CurrentStaff, type StaffAuth } from "../signIn/StaffAuth.ts"
import { getSiteRoot, type Site } from "../Site.ts"

export const authorizeRoutes = (site: Site, staffAuth: StaffAuth) =>
  Effect.gen(function*() {
    const applications = yield* OAuthClients
    const grants = yield* Grants
    const run = yield* makeOperationCaller
    const { page } = makePageRenderer(site, () => import("./ConsentPages.tsx"))
    /** Returns route options. Each call creates a separate rate limit. */
    const makeRouteOptions = () =>
      ({ caller: "anyone", renderError: makeErrorRenderer(site), limits: [IpRateLimit.make({ times: 30 })] }) as const

    const renderError = (request: Request, message: string, backUrl?: string) =>
      Effect.map(
        page(400, request, ({ invalidRequestPage }, context) => invalidRequestPage(context, message, backUrl)),
        (reply): Reply => ({ ...reply, code: "invalid_request" })
      )

    /**
     * Finds the OAuth client and parses the request. Errors in `authorization` can be reported to the client. Other
     * errors cannot, because the redirect URI has not been verified.
     */
    const parseRequest = (request: Request) =>
      Effect.gen(function*() {
        const { search } = new URL(request.url)
        const parameters = parseParameters(search)
        const issuer = getSiteRoot(site, request)
        if (issuer === undefined) return yield* refuseOAuth("invalid_request", "The server has no public URL.")
        if (search.length > maxNextPathLength - "/authorize".length) {
          const message = `The request must be at most ${maxNextPathLength} characters long.`
          return yield* refuseOAuth("invalid_request", message)
        }
        if (parameters.client_id === undefined) return yield* refuseOAuth("invalid_request", "client_id: is missing")
        const application = yield* applications.find(parameters.client_id)
        const redirectUri = yield* resolveRedirectUri(application, parameters)
        const authorization = parseAuthorizationRequest(issuer, application.clientId, redirectUri, parameters)
        return { application, issuer, redirectUri, search, state: parameters.state, authorization }
      })

    interface ConsentRequest {
      readonly staff: CurrentStaff
      /** The org's display name. */
      readonly org: string
      readonly parsed: Effect.Effect.Success<ReturnType<typeof parseRequest>>
      readonly authorization: AuthorizationRequest
    }

    /** Runs a handler for a valid request from a signed-in owner. */
    const withRequest = (
      request: Request,
      handler: (consentRequest: ConsentRequest) => Effect.Effect<Reply, Refusal>
    ): Effect.Effect<Reply, Refusal> =>
      Effect.gen(function*() {
        const parsedRequest = yield* Effect.either(parseRequest(request))
        if (parsedRequest._tag === "Left") return yield* renderError(request, parsedRequest.left.message)
        const oauthRequest = parsedRequest.right
        const { application, authorization, issuer: iss, redirectUri, search, state } = oauthRequest
        const staff = yield* Effect.option(staffAuth.authenticate(request))
        if (authorization._tag === "Left") {
          const { code: error, message } = authorization.left
          // An automatic redirect would turn this endpoint into an open redirector, so an owner must follow a link.
          const mayContinue = Option.isSome(staff) && staff.value.actor.scopes.has("staff") &&
            (yield* grants.isApproved(application.clientId))
          if (!mayContinue) return yield* renderError(request, message)
          const parameters = { error, error_description: message, state, iss }
          return yield* renderError(request, message, addRedirectParameters(redirectUri, parameters))
        }
        if (Option.isNone(staff)) return seeOther(addNextParameter(site.link("/sign-in"), `/authorize${search}`))
        const { actor, member } = staff.value
        const { name: org } = yield* Effect.provideService(run(orgGet, {}), Actor, actor)
        if (!actor.scopes.has("staff")) {
          return yield* page(403, request, ({ ownersOnlyPage }, context) => ownersOnlyPage(context, org, member.email))
        }
        return yield* handler({ staff: staff.value, org, parsed: oauthRequest, authorization: authorization.right })
      })

    const renderConsent = (
      request: Request,
      { authorization, parsed: { application, search }, org, staff: { member: { email } } }: ConsentRequest,
      isEmpty: boolean
    ) => {
      const facts = { application, email, isEmpty, org, request: authorization, search }
      return page(isEmpty ? 422 : 200, request, ({ consentPage }, context) => consentPage(context, facts))
    }

    return [
      get(makeRouteOptions(), "/authorize", "oauth.authorize", ({ request }) =>
        withRequest(request, (consentRequest) =>
          renderConsent(request, consentRequest, false))),
      post(
        { ...makeRouteOptions(), body: formBody, refuse: checkFormOrigin(site) },
        "/authorize",
        "oauth.decide",
        ({ body, request }) =>
          withRequest(request, (consentRequest) =>
            Effect.gen(function*() {
              const { authorization, parsed: { application, issuer: iss, redirectUri, state }, staff: { actor } } =
                consentRequest
              const redirectBack = (parameters: Readonly<Record<string, string>>) =>
                page(200, request, ({ redirectPage }, context) =>
                  redirectPage(context, addRedirectParameters(redirectUri, { ...parameters, state, iss })))
              if (body.decision !== "allow") {
                const description = "The owner denied the request."
                return yield* redirectBack({ error: "access_denied", error_description: description })
              }
              const scopes: ReadonlyArray<ApiKeyScope> = known.filter((scope) =>
                authorization.scopes.includes(scope) && body[scope] === "yes"
              )
              if (scopes.length === 0) {
                return yield* renderConsent(request, consentRequest, true)
              }
              const { orgId, staffId } = actor
              const personal = body.personal === "yes"
              const code = yield* grants.approve({
                orgId,
                staffId,
                application,
                request: authorization,
                scopes,
                personal
              })
              return yield* redirectBack({ code })
            }))
      )
    ] as ReadonlyArray<AnyRoute>
  })

/** Parses the parameters. A repeated parameter is treated as missing, because its value is ambiguous. */
const parseParameters = (search: string): AuthorizationParameters => {
  const parameters = new URLSearchParams(search)
  const names = new Set(parameters.keys())
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const values = parameters.getAll(name)
      return values.length === 1 ? [[name, values[0]]] : []
    })
  )
}

/** Adds the response parameters to a redirect URI and keeps its existing query. */
const addRedirectParameters = (
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>>
): string => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
