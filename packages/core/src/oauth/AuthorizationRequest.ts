/**
 * The authorization request of a client. It is parsed from the URL each time and never stored: anyone can send such a
 * URL to anyone, so showing it must not write anything.
 */
import * as Either from "effect/Either"
import type { KeyScope } from "../actor/Actor.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import { type OAuthRefusal, refuseOAuth } from "./OAuthRefusal.ts"
import { parseRequestedScopes } from "./parseScopes.ts"
import { isChallenge } from "./pkce.ts"
import { isRegistered } from "./redirectUris.ts"
import { resourceIndicator } from "./resourceIndicator.ts"

export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string | undefined
  readonly challenge: string
  readonly scopes: ReadonlyArray<KeyScope>
  readonly resource: string
}

/** The query parameters, each at most once. */
export type Parameters = Readonly<Record<string, string | undefined>>

/**
 * Determines the redirect URI for the response. Errors before that are shown to the person only, because the URL can
 * come from anyone.
 */
export const resolveRedirectUri = (
  application: OAuthClient,
  given: Parameters
): Either.Either<string, OAuthRefusal> => {
  const asked = given.redirect_uri ?? (application.redirectUris.length === 1 ? application.redirectUris[0] : undefined)
  if (asked === undefined) return Either.left(refuseOAuth("invalid_request", "redirect_uri: is missing"))
  return isRegistered(application.redirectUris, asked)
    ? Either.right(asked)
    : Either.left(refuseOAuth("invalid_request", "redirect_uri: is not registered for this client"))
}

/** Parses the other parameters. `base` is the base URL of the service. */
export const parse = (
  base: string,
  clientId: string,
  redirectUri: string,
  given: Parameters
): Either.Either<AuthorizationRequest, OAuthRefusal> => {
  if (given.response_type !== "code") return no("response_type: must be code", "unsupported_response_type")
  if (given.code_challenge === undefined) return no("code_challenge: is missing")
  if (given.code_challenge_method !== "S256") return no("code_challenge_method: must be S256")
  if (!isChallenge(given.code_challenge)) return no("code_challenge: must be a base64url-encoded SHA-256 digest")
  if ((given.state ?? "").length > maxState) return no(`state: must be at most ${maxState} characters long`)
  const resource = resourceIndicator(base, given.resource)
  if (resource === undefined) return no(`resource: must be ${base}/mcp`, "invalid_target")
  const { code_challenge: challenge, state } = given
  return Either.map(
    parseRequestedScopes(given.scope),
    (scopes) => ({ clientId, redirectUri, state, challenge, scopes, resource })
  )
}

const maxState = 1000

const no = (
  message: string,
  code: "invalid_request" | "invalid_target" | "unsupported_response_type" = "invalid_request"
): Either.Either<never, OAuthRefusal> => Either.left(refuseOAuth(code, message))
