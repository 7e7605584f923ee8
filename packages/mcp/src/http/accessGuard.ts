/**
 * What stands before the address: who may speak to it at all, and where to get a
 * key. Nothing here loads a library.
 */
import { scopes } from "@trailbook/core/actor/Actor"
import { fromQuery } from "../ToolFilter.ts"

export interface AccessGuard {
  /**
   * Why a request is not let in, before its key is looked at. A page in a browser must not reach a server on its visitor's
   * machine by a name of its own (DNS rebinding), nor one elsewhere with its visitor's rights.
   */
  readonly refuse: (request: Request) => { readonly status: 400 | 403; readonly message: string } | undefined
  /** The `WWW-Authenticate` of a request without a good key (RFC 9728). */
  readonly challenge: (request: Request) => string
  /** The metadata of the protected resource (RFC 9728), at `metadataPaths`. */
  readonly metadata: (request: Request) => Metadata
}

export interface Metadata {
  readonly resource: string
  readonly resource_name: string
  readonly bearer_methods_supported: ReadonlyArray<string>
  readonly scopes_supported: ReadonlyArray<string>
  /** Who hands out tokens for it (RFC 8414). */
  readonly authorization_servers?: ReadonlyArray<string>
}

/** Clients know this very path, without a last slash. */
export const path = "/mcp"

const metadataPath = "/.well-known/oauth-protected-resource"

/** That of the address and that of the host: clients ask for either. */
export const metadataPaths = [metadataPath + path, metadataPath] as const

/**
 * `publicUrl` is where the service is reached. Without it only this machine may
 * ask. With `oauth` whoever is there hands out tokens, too.
 */
export const make = (publicUrl?: string, { oauth = false }: { readonly oauth?: boolean } = {}): AccessGuard => {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isOurs = (url: URL): boolean => isLoopback(url.hostname) || url.hostname === known?.hostname
  const originOf = (request: Request) => known === undefined ? new URL(request.url).origin : publicUrl

  return {
    refuse: ({ headers, url }) => {
      const { host, searchParams } = new URL(url)
      const asked = parsed(`http://${headers.get("host") ?? host}`)
      if (asked === undefined || !isOurs(asked)) {
        return { status: 403, message: "Unknown host. If this address is yours, start the server with --public-url." }
      }
      const origin = headers.get("origin")
      const page = origin === null ? undefined : parsed(origin)
      if (origin !== null && (page === undefined || !isOurs(page))) {
        return { status: 403, message: "Cross-origin requests are not allowed." }
      }
      const selection = fromQuery(searchParams)
      return typeof selection === "string" ? { status: 400, message: selection } : undefined
    },
    challenge: (request) =>
      `Bearer resource_metadata="${originOf(request)}${metadataPaths[0]}"` + (oauth ? `, scope="read write"` : ""),
    metadata: (request) => ({
      resource: `${originOf(request)}${path}`,
      resource_name: "Trailbook",
      bearer_methods_supported: ["header"],
      scopes_supported: scopes,
      ...oauth ? { authorization_servers: [originOf(request) ?? ""] } : {}
    })
  }
}

const parsed = (text: string): URL | undefined => URL.canParse(text) ? new URL(text) : undefined

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)
