/** The OAuth endpoints that clients call without a browser: metadata, registration, token, and revocation. */
import { notFound } from "@trailbook/core"
import { scopes } from "@trailbook/core/actor"
import {
  Grants,
  type OAuthClient,
  OAuthClients,
  type OAuthRefusal,
  refuseOAuth,
  resolveResource,
  type TokenResponse
} from "@trailbook/core/oauth"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import * as Body from "@trailbook/http/request/body"
import { type Form, formBody } from "@trailbook/http/request/formBody"
import * as Reply from "@trailbook/http/response/Reply"
import type { AnyRoute, BodyKind, ErrorRenderer } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { get, post } from "../defineRoute.ts"
import { getSiteRoot, type Site } from "../Site.ts"

export const oauthRoutes = (site: Site) =>
  Effect.gen(function*() {
    const applications = yield* OAuthClients
    const grants = yield* Grants
    /** Returns route options. Each call creates a separate rate limit. */
    const makeRouteOptions = () =>
      ({ caller: "anyone", renderError: renderOAuthError, limits: [IpRateLimit.make({ times: 120 })] }) as const
    const readDefaults = makeRouteOptions()
    const registerDefaults = { ...makeRouteOptions(), limits: [IpRateLimit.make({ times: 20, minutes: 60 })] }

    const makeDocumentRoute = (path: `/${string}`, name: string, getDocument: (issuer: string) => object) =>
      get(readDefaults, path, name, ({ request }) => {
        const issuer = getSiteRoot(site, request)
        return issuer === undefined ? notFound("document", path) : Effect.succeed({
          ...Reply.json(200, getDocument(issuer)),
          headers: { "content-type": "application/json", "cache-control": "public, max-age=300" }
        })
      })

    const mountPath = site.link("/").replace(/\/$/, "")
    const metadataPaths = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] as const

    const issueToken = (fields: Form, root: string | undefined): Effect.Effect<TokenResponse, OAuthRefusal> => {
      const { client_id: clientId, code, code_verifier: verifier, grant_type: type, refresh_token: refreshToken } =
        fields
      if (clientId === undefined) return refuseOAuth("invalid_request", "client_id: is missing")
      if (root === undefined || resolveResource(root, fields.resource) === undefined) {
        return refuseOAuth("invalid_target", `resource: must be ${root ?? ""}/mcp`)
      }
      switch (type) {
        case "authorization_code":
          if (code === undefined) return refuseOAuth("invalid_request", "code: is missing")
          if (verifier === undefined) return refuseOAuth("invalid_request", "code_verifier: is missing")
          return grants.redeem({ code, clientId, redirectUri: fields.redirect_uri, verifier })
        case "refresh_token":
          if (refreshToken === undefined) return refuseOAuth("invalid_request", "refresh_token: is missing")
          return grants.refresh({ refreshToken, clientId, scope: fields.scope })
        case undefined:
          return refuseOAuth("invalid_request", "grant_type: is missing")
        default:
          return refuseOAuth("unsupported_grant_type", "grant_type: must be authorization_code or refresh_token")
      }
    }

    const toResponse = <A>(work: Effect.Effect<A, OAuthRefusal>, onSuccess: (result: A) => Reply.Reply) =>
      Effect.match(work, { onFailure: makeOAuthErrorReply, onSuccess })

    return [
      ...metadataPaths.map((path) => makeDocumentRoute(path, "oauth.metadata", serverMetadata)),
      // Clients request the metadata at the host's root, with the mount path as a suffix.
      ...mountPath === ""
        ? []
        : metadataPaths.map((path) => makeDocumentRoute(`${path}${mountPath}`, "oauth.metadata", serverMetadata)),
      makeDocumentRoute("/.well-known/jwks.json", "oauth.keys", () => ({ keys: [] })),
      post({ ...registerDefaults, body: jsonBody }, "/register", "oauth.register", ({ body, request }) =>
        toResponse(applications.register(body), (application) =>
          Reply.json(201, toRegistration(application, getSiteRoot(site, request))))),
      get(readDefaults, "/register/:client", "oauth.registered", ({ param, request }) => {
        const clientId = param("client")
        // Looks up only registered IDs. A client ID can also be a URL, but that URL already serves the client's
        // metadata document.
        if (!/^app_[0-9a-f]{40}$/.test(clientId)) {
          return notFound("client", clientId.slice(0, 80))
        }
        return toResponse(applications.find(clientId), (application) =>
          Reply.json(200, toRegistration(application, getSiteRoot(site, request))))
      }),
      post({ ...makeRouteOptions(), body: formBody }, "/token", "oauth.token", ({ body, request }) =>
        toResponse(
          Effect.suspend(() =>
            issueToken(body, getSiteRoot(site, request))
          ),
          tokenResponse
        )),
      post({ ...readDefaults, body: formBody }, "/revoke", "oauth.revoke", ({ body: { client_id: clientId, token } }) =>
        clientId === undefined || token === undefined
          ? Effect.succeed(makeOAuthErrorReply(refuseOAuth("invalid_request", "token and client_id are required")))
          // Unknown tokens receive the same response (RFC 7009).
          : Effect.as(grants.revoke({ clientId, token }), Reply.json(200, {})))
    ] as ReadonlyArray<AnyRoute>
  })

const jsonBody: BodyKind<Body.Body> = { within: (request, use) => Effect.flatMap(Body.read(request), use) }

const tokenResponse = ({ accessToken, expiresInSeconds, refreshToken, scopes }: TokenResponse): Reply.Reply =>
  Reply.json(200, {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(" ")
  })

const toRegistration = ({ clientId, createdAt, name, redirectUris }: OAuthClient, root: string | undefined) => ({
  client_id: clientId,
  client_id_issued_at: Math.floor(createdAt / 1000),
  client_name: name,
  redirect_uris: redirectUris,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  ...root === undefined ? {} : { registration_client_uri: `${root}/register/${clientId}` }
})

/**
 * Authorization server metadata (RFC 8414), also served under the OpenID Connect discovery name. If the server is
 * mounted below a path, some clients try this name last, and accept the document only if it contains the three fields
 * about ID tokens. Trailbook does not issue ID tokens.
 */
const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  scopes_supported: scopes,
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  authorization_response_iss_parameter_supported: true,
  // Clients with a metadata document ignore this field unless `none` is a supported authentication method.
  client_id_metadata_document_supported: true
})

/** Creates an OAuth error response. */
const makeOAuthErrorReply = ({ code, message }: OAuthRefusal): Reply.Reply => ({
  ...Reply.json(code === "invalid_client" ? 401 : 400, { error: code, error_description: message }),
  code
})

/** Renders errors that occur before the OAuth handler runs, such as rate limits. */
const renderOAuthError: ErrorRenderer = ({ message, status }) =>
  Reply.json(status, {
    error: status >= 500 ? "temporarily_unavailable" : "invalid_request",
    error_description: message
  })
