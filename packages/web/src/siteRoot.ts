import type { Site } from "./Site.ts"

/**
 * The address that the service is below, without a slash at its end: the one that it was
 * told, or else that of the request, if it comes from this very machine. No header of
 * anybody else is believed: a link in a mail would lead wherever they want.
 */
export const siteRoot = (site: Site, request: Request): string | undefined => {
  const root = site.absolute("/") ?? ownRoot(site, request)
  return root?.replace(/(?<!\/)\/+$/, "")
}

const ownRoot = (site: Site, { headers, url }: Request): string | undefined => {
  const { hostname, origin } = new URL(url)
  // What came through a proxy came from elsewhere, whatever it says.
  const isForwarded = headers.has("x-forwarded-for") || headers.has("forwarded")
  const isOwn = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)
  return isOwn && !isForwarded ? origin + site.link("/") : undefined
}
