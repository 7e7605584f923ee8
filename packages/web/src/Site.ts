/** Addresses and settings that all pages share. */
import { makeIsCrossSite } from "@trailbook/http/request/isCrossSite"

export type Site = ReturnType<typeof make>

export interface SiteOptions {
  /** The path prefix for all pages, such as `/booking`. Default: no prefix. */
  readonly basePath?: string | undefined
  /** The public URL for the pages, including the path prefix, such as `https://example.com/booking`. */
  readonly publicUrl?: string | undefined
  /** Other origins whose pages can submit forms to these pages. */
  readonly trustedOrigins?: ReadonlyArray<string> | undefined
  /** Whether other sites can embed the booking page in a frame. If false, the widget is not served. Default: true. */
  readonly widget?: boolean | undefined
}

export const make = (
  { basePath, publicUrl, trustedOrigins = [], widget = true }: SiteOptions
) => {
  const root = publicUrl?.replace(/(?<!\/)\/+$/, "")
  const base = basePath ?? (root === undefined ? "" : new URL(root).pathname.replace(/(?<!\/)\/+$/, ""))
  return {
    /**
     * Prefixes a path with the mount point. `/book/salida` becomes `/booking/book/salida` for pages mounted at
     * `/booking`.
     */
    link: (path: `/${string}`): string => base + path,
    /**
     * Returns the absolute URL for a path, or undefined if no public URL is configured. Request headers are not used,
     * because they cannot be trusted.
     */
    absolute: (path: `/${string}`): string | undefined => root === undefined ? undefined : root + path,
    /** Whether a page from an untrusted origin sent a state-changing request. */
    isForeign: makeIsCrossSite([publicUrl, ...trustedOrigins]),
    /** Whether other sites can embed the booking page in a frame. */
    isWidget: widget
  }
}

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
export const getPublicUrl = (
  { site, url }: { readonly site: Site; readonly url: URL },
  path: `/${string}`
): string => site.absolute(path) ?? url.origin + site.link(path)
