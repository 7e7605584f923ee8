import type { Site } from "./Site.ts"

/**
 * Root URL of the service without a trailing slash: the configured public URL, or the request URL if the request comes
 * from the same machine. Host headers of other clients are not trusted, because they could redirect mailed links to
 * another site.
 */
export const siteRoot = (site: Site, request: Request): string | undefined => {
  const root = site.absolute("/") ?? ownRoot(site, request)
  return root?.replace(/(?<!\/)\/+$/, "")
}

const ownRoot = (site: Site, { headers, url }: Request): string | undefined => {
  const { hostname, origin } = new URL(url)
  // Requests through a proxy are remote, regardless of their address.
  const isForwarded = headers.has("x-forwarded-for") || headers.has("forwarded")
  const isOwn = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)
  return isOwn && !isForwarded ? origin + site.link("/") : undefined
}
