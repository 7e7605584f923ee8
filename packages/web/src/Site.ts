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
