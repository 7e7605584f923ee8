/**
 * Checks access to the endpoint, and provides the metadata that shows clients where to get a key. This module loads no
 * libraries.
 */
import { scopes } from "@trailbook/core/actor"
import { fromUrl } from "../ToolFilter.ts"

export interface AccessGuard {
  /**
   * Returns the reason if the request must be rejected before its key is checked. A web page must not be able to reach
   * a local server through the page's own host name (DNS rebinding), or a remote server with the privileges of the
   * page's visitor.
   */
  readonly refuse: (request: Request) => { readonly status: 400 | 403; readonly message: string } | undefined
  /** Returns the `WWW-Authenticate` header for requests without a valid key (RFC 9728). */
  readonly challenge: (request: Request) => string
  /** Returns the protected resource metadata (RFC 9728), which is served at `metadataPaths`. */
  readonly metadata: (request: Request) => ResourceMetadata
}

export interface ResourceMetadata {
  readonly resource: string
  readonly resource_name: string
  readonly bearer_methods_supported: ReadonlyArray<string>
  readonly scopes_supported: ReadonlyArray<string>
  /** The authorization servers that issue tokens for the resource (RFC 8414). */
  readonly authorization_servers?: ReadonlyArray<string>
}

/** The endpoint's path. Clients use exactly this path, without a trailing slash. */
export const endpointPath = "/mcp"

const metadataPath = "/.well-known/oauth-protected-resource"

/** The metadata paths for the endpoint and for the host. Clients may request either path. */
export const metadataPaths = [metadataPath + endpointPath, metadataPath] as const

/**
 * Creates a guard for the service at `publicUrl`. Without this URL, only clients on this machine are allowed. With
 * `oauth`, the server issues tokens itself.
 */
export const make = (publicUrl?: string, { oauth = false }: { readonly oauth?: boolean } = {}): AccessGuard => {
  const serviceUrl = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isOurs = (url: URL): boolean => isLoopback(url.hostname) || url.hostname === serviceUrl?.hostname
  const originOf = (request: Request) => serviceUrl === undefined ? new URL(request.url).origin : publicUrl

  return {
    refuse: ({ headers, url }) => {
      const hostUrl = parseUrl(`http://${headers.get("host") ?? new URL(url).host}`)
      if (hostUrl === undefined || !isOurs(hostUrl)) {
        return { status: 403, message: "Unknown host. If this address is yours, start the server with --public-url." }
      }
      const origin = headers.get("origin")
      const page = origin === null ? undefined : parseUrl(origin)
      if (origin !== null && (page === undefined || !isOurs(page))) {
        return { status: 403, message: "Cross-origin requests are not allowed." }
      }
      const selection = fromUrl(url)
      return typeof selection === "string" ? { status: 400, message: selection } : undefined
    },
    challenge: (request) =>
      `Bearer resource_metadata="${originOf(request)}${metadataPaths[0]}"` + (oauth ? `, scope="read write"` : ""),
    metadata: (request) => ({
      resource: `${originOf(request)}${endpointPath}`,
      resource_name: "Trailbook",
      bearer_methods_supported: ["header"],
      scopes_supported: scopes,
      ...oauth ? { authorization_servers: [originOf(request) ?? ""] } : {}
    })
  }
}

const parseUrl = (text: string): URL | undefined => URL.canParse(text) ? new URL(text) : undefined

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)
