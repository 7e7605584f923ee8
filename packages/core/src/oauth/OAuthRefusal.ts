import * as Data from "effect/Data"

/** The error codes of OAuth 2.1 and its extensions that this service returns. */
export type OAuthErrorCode =
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

/** An OAuth error. `message` is meant for the client's developer. */
export class OAuthRefusal extends Data.TaggedError("OAuthRefusal")<{
  readonly code: OAuthErrorCode
  readonly message: string
}> {}

export const refuseOAuth = (code: OAuthErrorCode, message: string): OAuthRefusal => new OAuthRefusal({ code, message })
