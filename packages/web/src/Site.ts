/** Where the pages are mounted. */
import { crossSite } from "@trailbook/http/crossSite"
import * as GuestQuota from "./guest/quota.ts"

export type Site = ReturnType<typeof make>

export interface SiteOptions extends GuestQuota.GuestQuotaOptions {
  /** Where the pages are mounted, such as `/booking`; at the root when nothing is said. */
  readonly basePath?: string | undefined
  /** The address of the root of the pages, its path included, such as `https://example.com/booking`. */
  readonly publicUrl?: string | undefined
  /** Other origins whose pages may send forms here. */
  readonly trustedOrigins?: ReadonlyArray<string> | undefined
  /** False keeps other sites from showing the booking page within their own, and serves no widget. */
  readonly widget?: boolean | undefined
}

export const make = (
  { basePath, publicUrl, trustedOrigins = [], widget = true, ...quota }: SiteOptions
) => {
  const root = publicUrl?.replace(/(?<!\/)\/+$/, "")
  const base = basePath ?? (root === undefined ? "" : new URL(root).pathname.replace(/(?<!\/)\/+$/, ""))
  return {
    /** The address of a path within a page, such as `/booking/book/salida` where the mount is at `/booking`. */
    link: (path: `/${string}`): string => base + path,
    /** The same with the origin; undefined while nobody has said where the service is reached, for no header is believed. */
    absolute: (path: `/${string}`): string | undefined => root === undefined ? undefined : root + path,
    /** Whether a page of another site makes a browser send a request that changes something. */
    isForeign: crossSite([publicUrl, ...trustedOrigins]),
    guestQuota: GuestQuota.make(quota),
    /** Whether other sites may show the booking page within their own. */
    isWidget: widget
  }
}
