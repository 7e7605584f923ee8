import type { OAuthRefusal } from "@trailbook/core/oauth"
import * as Reply from "@trailbook/http/response/Reply"
import type { RenderError } from "@trailbook/http/Route"

/** Creates an OAuth error response. */
export const makeOAuthErrorReply = ({ code, message }: OAuthRefusal): Reply.Reply => ({
  ...Reply.json(code === "invalid_client" ? 401 : 400, { error: code, error_description: message }),
  code
})

/** Renders errors that occur before the OAuth handler runs, such as rate limits. */
export const renderOAuthError: RenderError = ({ message, status }) =>
  Reply.json(status, {
    error: status >= 500 ? "temporarily_unavailable" : "invalid_request",
    error_description: message
  })

/** Adds the response parameters to a redirect URI and keeps its existing query. */
export const addRedirectParameters = (
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>>
): string => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
