/**
 * Parses a client's metadata from its registration (RFC 7591) or its metadata document. Unsupported metadata is ignored
 * if the rest is consistent. Dangerous metadata is rejected.
 */
import * as Either from "effect/Either"
import { maxName, maxRedirects, type OAuthClient } from "./OAuthClient.ts"
import { type OAuthRefusal, refuseOAuth } from "./OAuthRefusal.ts"
import { isSafeRedirect } from "./redirectUris.ts"

type ClientDetails = Pick<OAuthClient, "name" | "redirectUris">

export const readMetadata = (input: unknown): Either.Either<ClientDetails, OAuthRefusal> => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return refuseMetadata("must be a JSON object")
  }
  const metadata: Readonly<Record<string, unknown>> = { ...input }
  const { client_name: name, redirect_uris: redirects } = metadata
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > maxRedirects) {
    return refuseMetadata(`redirect_uris: must be a list of 1 to ${maxRedirects} URIs`, "invalid_redirect_uri")
  }
  const redirectUris: Array<string> = []
  for (const uri of redirects) {
    if (typeof uri !== "string" || !isSafeRedirect(uri)) {
      return refuseMetadata(
        "redirect_uris: each must use https, http on localhost, or a reverse-domain scheme such as " +
          "com.example.app:, without a fragment, spaces, or control characters",
        "invalid_redirect_uri"
      )
    }
    redirectUris.push(uri)
  }
  // A program that ships in thousands of copies cannot keep a secret, and accepting one would suggest that it is
  // checked.
  const { grant_types: grants, response_types: responses, token_endpoint_auth_method: method } = metadata
  if (method !== undefined && method !== "none") return refuseMetadata("token_endpoint_auth_method: must be none")
  if (metadata.client_secret !== undefined) return refuseMetadata("client_secret: must be omitted")
  if (grants !== undefined && !(Array.isArray(grants) && grants.includes("authorization_code"))) {
    return refuseMetadata("grant_types: must include authorization_code")
  }
  if (responses !== undefined && !(Array.isArray(responses) && responses.includes("code"))) {
    return refuseMetadata("response_types: must include code")
  }
  if (typeof name === "string" && unreadable.test(name)) {
    return refuseMetadata("client_name: must not contain line breaks, control characters, or invisible characters")
  }
  return Either.right({ name: typeof name === "string" ? shortenName(name) : "", redirectUris })
}

/** Parses a metadata document, which must contain its own URL as `client_id`. */
export const readDocument = (url: string, document: unknown): Either.Either<ClientDetails, OAuthRefusal> =>
  Either.flatMap(
    readMetadata(document),
    (details) =>
      typeof document === "object" && document !== null && "client_id" in document && document.client_id === url
        ? Either.right(details)
        : refuseMetadata("client_id: must be the URL of the document")
  )

/**
 * Returns whether an ID can be the URL of a metadata document. The ID must be an https URL with a path, in canonical
 * form, so that no document has two URLs.
 */
export const isDocumentUrl = (url: string): boolean => {
  if (url.length > maxUrl || !URL.canParse(url)) return false
  const { href, pathname, port, protocol } = new URL(url)
  return protocol === "https:" && pathname !== "/" && port === "" && href === url && !/[#@\\]/.test(url)
}

const maxUrl = 500

/**
 * The control characters, line breaks, and format characters, such as text direction marks, that can disguise a name.
 * Joiners are allowed because some scripts and emoji need them.
 */
const unreadable = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const shortenName = (name: string): string => [...name.toWellFormed().trim()].slice(0, maxName).join("")

const refuseMetadata = (
  message: string,
  code: "invalid_client_metadata" | "invalid_redirect_uri" = "invalid_client_metadata"
): Either.Either<never, OAuthRefusal> => Either.left(refuseOAuth(code, message))
