import * as Data from "effect/Data"

/**
 * The error codes of OAuth 2.1 and of its extensions that are answered here.
 *
 * @category models
 */
export type OAuthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"

/**
 * Why an application is refused, in OAuth's own words. `message` is for whoever builds
 * the application.
 *
 * @category errors
 */
export class OAuthRefusal extends Data.TaggedError("OAuthRefusal")<{
  readonly code: OAuthCode
  readonly message: string
}> {}

/**
 * @category constructors
 */
export const refuseOAuth = (code: OAuthCode, message: string): OAuthRefusal => new OAuthRefusal({ code, message })
