import type { VisitOrgView } from "@trailbook/core/operation/VisitView"
import type { Site } from "../Site.ts"
import * as Formats from "../text/Format.ts"
import { type Reader, readerOf } from "../text/Language.ts"
import { type Text, textIn } from "../text/Text.ts"
import { accentOf } from "./accent.ts"

/**
 * What every view needs to know: for whom, in which words, and where.
 *
 * @category models
 */
export interface Shown {
  readonly site: Site
  readonly reader: Reader
  readonly text: Text
  /** The address that was asked for, for links back to the same page. */
  readonly url: URL
  /** Within the page of the outfitter's own website. */
  readonly isEmbedded: boolean
  /** `#rrggbb` */
  readonly accent: string | undefined
  /** Addresses of the outfitter's own pictures. */
  readonly pictures?: ReadonlyArray<string>
}

/**
 * The same on a page of an outfitter.
 *
 * @category models
 */
export interface ShownOf extends Shown {
  readonly org: VisitOrgView
  readonly format: Formats.Format
}

/**
 * @category constructors
 */
export const shown = (site: Site, request: Request): Shown => {
  const reader = readerOf(request)
  const url = new URL(request.url)
  return {
    site,
    reader,
    text: textIn(reader.language),
    url,
    isEmbedded: url.searchParams.get("embed") === "1",
    accent: accentOf(url.searchParams.get("accent"))
  }
}

/**
 * @category constructors
 */
export const shownOf = (site: Site, request: Request, org: VisitOrgView): ShownOf => {
  const base = shown(site, request)
  const pictures = [org.logo_url, org.cover_url].filter((address) => address !== null)
  const accent = base.accent ?? org.accent ?? undefined
  return { ...base, accent, pictures, org, format: Formats.make(base.reader, org) }
}
