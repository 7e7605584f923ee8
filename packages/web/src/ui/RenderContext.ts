import type { PublicOrgView } from "@trailbook/core/operation"
import type { Site } from "../Site.ts"
import { toReadableAccent } from "../style/theme.ts"
import * as Formats from "../text/Format.ts"
import { detectReaderLocale, getText, type ReaderLocale, type Text } from "../text/Text.ts"

/** The data that every view needs: locale, text, and URLs. */
export interface RenderContext {
  readonly site: Site
  readonly reader: ReaderLocale
  readonly text: Text
  /** The request URL, for links to the same page. */
  readonly url: URL
  /** Whether the page is embedded in the outfitter's website. */
  readonly isEmbedded: boolean
  /** The accent color, as `#rrggbb`. */
  readonly accent: string | undefined
  /** The URLs of the outfitter's own pictures. */
  readonly pictures?: ReadonlyArray<string>
}

/** The render context for a page about one org. */
export interface OrgRenderContext extends RenderContext {
  readonly org: PublicOrgView
  readonly format: Formats.Format
}

export const makeRenderContext = (site: Site, request: Request): RenderContext => {
  const reader = detectReaderLocale(request)
  const url = new URL(request.url)
  return {
    site,
    reader,
    text: getText(reader.language),
    url,
    isEmbedded: url.searchParams.get("embed") === "1",
    accent: toReadableAccent(url.searchParams.get("accent"))
  }
}

export const makeOrgRenderContext = (site: Site, request: Request, org: PublicOrgView): OrgRenderContext => {
  const base = makeRenderContext(site, request)
  const pictures = [org.logo_url, org.cover_url].filter((address) => address !== null)
  const accent = base.accent ?? org.accent ?? undefined
  return { ...base, accent, pictures, org, format: Formats.make(base.reader, org) }
}
