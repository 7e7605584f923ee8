import type { DashboardContext } from "./dashboard/Page.ts"
import type { Site } from "./Site.ts"

/**
 * Returns the service's root URL without a trailing slash. This is the configured public URL, or the request's origin
 * if its host is a loopback address. Other Host headers are not trusted, because a forged header would make mailed
 * links point to another site.
 */
export const getSiteRoot = (site: Site, request: Request): string | undefined => {
  const root = site.absolute("/") ?? ownRoot(site, request)
  return root?.replace(/(?<!\/)\/+$/, "")
}

const ownRoot = (site: Site, { headers, url }: Request): string | undefined => {
  const { hostname, origin } = new URL(url)
  // A forwarded request comes from another machine, even if its Host header is a loopback address.
  const isForwarded = headers.has("x-forwarded-for") || headers.has("forwarded")
  const isOwn = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)
  return isOwn && !isForwarded ? origin + site.link("/") : undefined
}

/** Returns a page's absolute URL, for links that staff members share. */
export const getPublicUrl = ({ site, url }: Pick<DashboardContext, "site" | "url">, path: `/${string}`): string =>
  site.absolute(path) ?? url.origin + site.link(path)
