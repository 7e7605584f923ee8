import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"

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

/**
 * The metadata of an OAuth client, such as an assistant's connector, as provided by the client. The metadata is not
 * verified, because anyone can register a client. A client has no access until an org approves it.
 */
export interface OAuthClient {
  /** An assigned ID, or the https URL of a metadata document. */
  readonly clientId: string
  /** The name that the client chose, at most 80 characters. */
  readonly name: string
  /** The allowed redirect URIs, at most 10. */
  readonly redirectUris: ReadonlyArray<string>
  readonly createdAt: Instant
  /** When the metadata document was last fetched or the client last registered. */
  readonly readAt: Instant
}

export const maxClientNameLength = 80

export const maxRedirectUris = 10

/** Returns whether an ID is the URL of a metadata document. */
export const isUrlClientId = (clientId: string): boolean => clientId.startsWith("https://")

/** Stores OAuth clients, which belong to no org. */
export class OAuthClientStore extends Context.Tag("@trailbook/core/OAuthClientStore")<
  OAuthClientStore,
  {
    readonly find: (clientId: string) => Effect.Effect<Option.Option<OAuthClient>>
    /** Inserts a client, or replaces the client with the same ID. */
    readonly put: (application: OAuthClient) => Effect.Effect<void>
    /**
     * Deletes at most `limit` clients that have no grant and were last fetched or registered before this time, oldest
     * first.
     */
    readonly removeUnused: (before: Instant, limit: number) => Effect.Effect<void>
  }
>() {}

/**
 * Returns whether a redirect URI may be registered. These URIs are allowed (RFC 8252):
 *
 * - https, on any host;
 * - http on a loopback address, for native programs;
 * - a private-use scheme, which is a reversed domain name, such as `com.example.app:`. Operating systems open schemes
 *   without a dot, such as `ms-settings:` and `feed:`, in their own programs. Only the editors in `ofEditors` are
 *   exempt, because they have no other scheme.
 *
 * A URI must not contain a fragment or a user, and it must consist of RFC 3986 characters. A URL parser drops line
 * breaks and tabs, so otherwise the URI that is opened could differ from the one that was compared. A requested URI
 * must equal a registered URI. Only the port of a loopback URI may differ, because a native program listens on any free
 * port.
 */
export const isSafeRedirectUri = (uri: string): boolean => {
  if (uri.length > maxUriLength || !ofUris.test(uri) || !URL.canParse(uri)) return false
  const { hostname, password, protocol, username } = new URL(uri)
  if (username !== "" || password !== "") return false
  if (protocol === "https:") return hostname !== ""
  if (protocol === "http:") return isLoopback(hostname)
  return reverseDomain.test(protocol) || ofEditors.has(protocol)
}

/** Returns whether `requestedUri` matches a registered redirect URI. */
export const isRegisteredRedirectUri = (registered: ReadonlyArray<string>, requestedUri: string): boolean =>
  isSafeRedirectUri(requestedUri) && (registered.includes(requestedUri) ||
    (isLoopbackUri(requestedUri) &&
      registered.some((uri) => isLoopbackUri(uri) && withoutPort(uri) === withoutPort(requestedUri))))

/** Returns whether the URI points to a program on the user's machine. */
export const isLoopbackUri = (uri: string): boolean => {
  if (!URL.canParse(uri)) return false
  const { hostname, protocol } = new URL(uri)
  return protocol === "http:" && isLoopback(hostname)
}

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)

const withoutPort = (uri: string): string => {
  const { hostname, pathname, search } = new URL(uri)
  return hostname + pathname + search
}

/** The characters of RFC 3986, except the `#` that starts a fragment. */
const ofUris = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/

/**
 * The scheme starts with a top-level domain, which consists only of letters. This excludes
 * `x-apple.systempreferences:`, which opens system settings.
 */
const reverseDomain = /^[a-z]{2,}(?:\.[a-z0-9-]+)+:$/

const ofEditors: ReadonlySet<string> = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:"])

const maxUriLength = 2000
