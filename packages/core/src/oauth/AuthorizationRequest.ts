/**
 * A client's authorization request. It is parsed from the URL each time and never stored. Anyone can send such a URL to
 * a staff member, so showing the request must not write anything.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { type ApiKeyScope, scopes } from "../actor/Actor.ts"
import type { Ids } from "../port/Ids.ts"
import { isRegisteredRedirectUri, type OAuthClient, type OAuthRefusal, refuseOAuth } from "./OAuthClient.ts"

export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string | undefined
  readonly challenge: string
  readonly scopes: ReadonlyArray<ApiKeyScope>
  readonly resource: string
}

/** The query parameters. Each parameter occurs at most once. */
export type AuthorizationParameters = Readonly<Record<string, string | undefined>>

/**
 * Determines the redirect URI for the response. Until the URI is known, errors are shown only to the user, because
 * anyone can construct such a URL.
 */
export const resolveRedirectUri = (
  application: OAuthClient,
  parameters: AuthorizationParameters
): Either.Either<string, OAuthRefusal> => {
  const redirectUri = parameters.redirect_uri ??
    (application.redirectUris.length === 1 ? application.redirectUris[0] : undefined)
  if (redirectUri === undefined) return Either.left(refuseOAuth("invalid_request", "redirect_uri: is missing"))
  return isRegisteredRedirectUri(application.redirectUris, redirectUri)
    ? Either.right(redirectUri)
    : Either.left(refuseOAuth("invalid_request", "redirect_uri: is not registered for this client"))
}

/** Parses the parameters other than the redirect URI. `base` is the service's base URL. */
export const parseAuthorizationRequest = (
  base: string,
  clientId: string,
  redirectUri: string,
  parameters: AuthorizationParameters
): Either.Either<AuthorizationRequest, OAuthRefusal> => {
  if (parameters.response_type !== "code") {
    return refuseRequest("response_type: must be code", "unsupported_response_type")
  }
  if (parameters.code_challenge === undefined) return refuseRequest("code_challenge: is missing")
  if (parameters.code_challenge_method !== "S256") return refuseRequest("code_challenge_method: must be S256")
  if (!isCodeChallenge(parameters.code_challenge)) {
    return refuseRequest("code_challenge: must be a base64url-encoded SHA-256 digest")
  }
  if ((parameters.state ?? "").length > maxState) {
    return refuseRequest(`state: must be at most ${maxState} characters long`)
  }
  const resource = resolveResource(base, parameters.resource)
  if (resource === undefined) return refuseRequest(`resource: must be ${base}/mcp`, "invalid_target")
  const { code_challenge: challenge, state } = parameters
  return Either.map(
    parseRequestedScopes(parameters.scope),
    (scopes) => ({ clientId, redirectUri, state, challenge, scopes, resource })
  )
}

const maxState = 1000

const refuseRequest = (
  message: string,
  code: "invalid_request" | "invalid_target" | "unsupported_response_type" = "invalid_request"
): Either.Either<never, OAuthRefusal> => Either.left(refuseOAuth(code, message))

/**
 * Returns whether the text has the format of a challenge (RFC 7636). Only SHA-256 is supported. A client sends the
 * SHA-256 digest with the authorization request, and the verifier itself with the token request.
 */
export const isCodeChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

export const isCodeVerifier = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

/** Returns the challenge for a verifier. */
export const toCodeChallenge = ({ digest }: Pick<Ids["Type"], "digest">, verifier: string): string =>
  Encoding.encodeBase64Url(Either.getOrThrow(Encoding.decodeHex(digest(verifier))))

/**
 * Returns the resource for a token (RFC 8707), which is always the MCP endpoint. Clients may add a trailing slash or
 * send the service's base URL. Returns undefined for other resources.
 *
 * @example
 * import { resolveResource } from "@trailbook/core/oauth"
 *
 * resolveResource("https://book.example.com", "https://book.example.com/mcp/") // "https://book.example.com/mcp"
 */
export const resolveResource = (base: string, requestedUrl: string | undefined): string | undefined => {
  const resource = `${base}/mcp`
  if (requestedUrl === undefined) return resource
  const acceptedUrls = [resource, base, new URL(base).origin]
  return acceptedUrls.some((url) => requestedUrl === url || requestedUrl === `${url}/`) ? resource : undefined
}

/**
 * Parses the requested scopes. The default scopes are `read` and `write`. Unknown scopes are ignored, because clients
 * add their own. A request with only unknown scopes is rejected.
 */
export const parseRequestedScopes = (
  text: string | undefined
): Either.Either<ReadonlyArray<ApiKeyScope>, OAuthRefusal> => {
  const words = (text ?? "").split(" ").filter((word) => word !== "")
  if (words.length === 0) return Either.right(["read", "write"])
  const knownScopes = scopes.filter((scope) => words.includes(scope))
  return knownScopes.length > 0 || words.every((word) => word === "offline_access")
    ? Either.right(knownScopes.length > 0 ? knownScopes : ["read", "write"])
    : Either.left(refuseOAuth("invalid_scope", `scope: must contain at least one of ${scopes.join(", ")}`))
}
