/**
 * What applications ask by themselves, without a browser: who is here, to be registered,
 * for tokens, and to end them.
 */
import type { Application } from "@trailbook/core/application/Application"
import { Applications } from "@trailbook/core/application/Applications"
import { Grants, type Issued } from "@trailbook/core/application/Grants"
import { type OAuthRefusal, refuseOAuth } from "@trailbook/core/application/OAuthRefusal"
import { resourceOf } from "@trailbook/core/application/resource"
import { notFound } from "@trailbook/core/Refusal"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import * as Body from "@trailbook/http/body"
import { type Form, form } from "@trailbook/http/form"
import { none } from "@trailbook/http/noBody"
import * as Reply from "@trailbook/http/Reply"
import type { AnyRoute, BodyKind, Route } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { rootOf } from "../rootOf.ts"
import type { Site } from "../Site.ts"
import { failed, refused } from "./answers.ts"
import { metadataOf } from "./metadata.ts"

/**
 * @category constructors
 */
export const endpoints = (site: Site) =>
  Effect.gen(function*() {
    const applications = yield* Applications
    const grants = yield* Grants
    const all = { caller: "anybody", failed } as const
    const often = [AddressLimit.make({ times: 120 })]

    const document = (
      path: `/${string}`,
      name: string,
      of: (issuer: string) => object
    ): Route<"anybody", undefined> => ({
      ...all,
      method: "GET",
      path,
      name,
      body: none,
      limits: often,
      answer: ({ request }) => {
        const issuer = rootOf(site, request)
        return issuer === undefined ? notFound("document", path) : Effect.succeed({
          ...Reply.json(200, of(issuer)),
          headers: { "content-type": "application/json", "cache-control": "public, max-age=300" }
        })
      }
    })

    const base = site.link("/").replace(/\/$/, "")
    const names = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] as const
    const documents = [
      ...names.map((path) => document(path, "oauth.metadata", metadataOf)),
      // Where the host hands on what is asked at its root: the path stands behind.
      ...base === "" ? [] : names.map((path) => document(`${path}${base}`, "oauth.metadata", metadataOf)),
      document("/.well-known/jwks.json", "oauth.keys", () => ({ keys: [] }))
    ]

    const register: Route<"anybody", Body.Body> = {
      ...all,
      method: "POST",
      path: "/register",
      name: "oauth.register",
      body: json,
      limits: [AddressLimit.make({ times: 20, minutes: 60 })],
      answer: ({ body, request }) =>
        Effect.match(applications.register(body), {
          onFailure: refused,
          onSuccess: (application) => Reply.json(201, registration(application, rootOf(site, request)))
        })
    }

    const registered: Route<"anybody", undefined> = {
      ...all,
      method: "GET",
      path: "/register/:client",
      name: "oauth.registered",
      body: none,
      limits: often,
      answer: ({ param, request }) => {
        const clientId = param("client")
        // A document is asked for where it is.
        if (!/^app_[0-9a-f]{40}$/.test(clientId)) return notFound("client", clientId.slice(0, 80))
        return Effect.match(applications.find(clientId), {
          onFailure: refused,
          onSuccess: (application) => Reply.json(200, registration(application, rootOf(site, request)))
        })
      }
    }

    const token: Route<"anybody", Form> = {
      ...all,
      method: "POST",
      path: "/token",
      name: "oauth.token",
      body: form,
      limits: [AddressLimit.make({ times: 120 })],
      answer: ({ body, request }) =>
        Effect.match(Effect.suspend(() => issued(body, rootOf(site, request))), {
          onFailure: refused,
          onSuccess: tokens
        })
    }

    const issued = (given: Form, root: string | undefined): Effect.Effect<Issued, OAuthRefusal> => {
      const { client_id: clientId, code, code_verifier: verifier, grant_type: type, refresh_token: refreshToken } =
        given
      if (clientId === undefined) return refuseOAuth("invalid_request", "client_id: is missing")
      if (root === undefined || resourceOf(root, given.resource) === undefined) {
        return refuseOAuth("invalid_target", `resource: must be ${root ?? ""}/mcp`)
      }
      switch (type) {
        case "authorization_code":
          if (code === undefined) return refuseOAuth("invalid_request", "code: is missing")
          if (verifier === undefined) return refuseOAuth("invalid_request", "code_verifier: is missing")
          return grants.redeem({ code, clientId, redirectUri: given.redirect_uri, verifier })
        case "refresh_token":
          if (refreshToken === undefined) return refuseOAuth("invalid_request", "refresh_token: is missing")
          return grants.refresh({ refreshToken, clientId, scope: given.scope })
        case undefined:
          return refuseOAuth("invalid_request", "grant_type: is missing")
        default:
          return refuseOAuth("unsupported_grant_type", "grant_type: must be authorization_code or refresh_token")
      }
    }

    const revoke: Route<"anybody", Form> = {
      ...all,
      method: "POST",
      path: "/revoke",
      name: "oauth.revoke",
      body: form,
      limits: often,
      answer: ({ body: { client_id: clientId, token } }) =>
        clientId === undefined || token === undefined
          ? Effect.succeed(refused(refuseOAuth("invalid_request", "token: and client_id are needed")))
          // The same for a token that is none of ours (RFC 7009).
          : Effect.as(grants.revoke({ clientId, token }), Reply.json(200, {}))
    }

    return [...documents, register, registered, token, revoke] as ReadonlyArray<AnyRoute>
  })

const json: BodyKind<Body.Body> = { within: (request, use) => Effect.flatMap(Body.read(request), use) }

const tokens = ({ accessToken, expiresInSeconds, refreshToken, scopes }: Issued): Reply.Reply =>
  Reply.json(200, {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(" ")
  })

const registration = ({ clientId, createdAt, name, redirectUris }: Application, root: string | undefined) => ({
  client_id: clientId,
  client_id_issued_at: Math.floor(createdAt / 1000),
  client_name: name,
  redirect_uris: redirectUris,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  ...root === undefined ? {} : { registration_client_uri: `${root}/register/${clientId}` }
})
