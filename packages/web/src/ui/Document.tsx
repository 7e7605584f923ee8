/**
 * Renders a complete page with its head and response headers. The content security policy allows no third-party fonts,
 * scripts, or images.
 */
import type { Reply } from "@trailbook/http/response/Reply"
import { createHash } from "node:crypto"
import type { ComponentChildren } from "preact"
import { renderToString } from "preact-render-to-string"
import * as assets from "../assets/generated.ts"
import { buildThemeCss } from "../style/theme.ts"
import type { RenderContext } from "./RenderContext.ts"

export interface Page {
  readonly title: string
  readonly body: ComponentChildren
  /** The description for search engines and link previews. */
  readonly description?: string | undefined
  /** The canonical URL for search engines and sharing. Pages without a canonical URL are marked `noindex`. */
  readonly canonical?: string | undefined
  /** The absolute URL of a picture for link previews. */
  readonly image?: string | undefined
  /** Structured data (schema.org). */
  readonly about?: object | undefined
  /** The scripts to load, as keys of {@link assets.scripts}. */
  readonly script?: keyof typeof assets.scripts | ReadonlyArray<keyof typeof assets.scripts>
  /** Sites that can embed the page in a frame. Default: none. */
  readonly frames?: "*"
  /** Navigates to this URL immediately, because a form response cannot redirect to another origin. */
  readonly onTo?: string
  /**
   * Reloads this URL after `seconds` if JavaScript is off. With JavaScript, a script polls instead, because a reload
   * would interrupt a guest who is reading.
   */
  readonly refresh?: { readonly address: string; readonly seconds: number } | undefined
  /**
   * Whether the browser may keep the page, so that back navigation restores the typed values and the form key. Use this
   * only for pages without personal data.
   */
  readonly isCacheable?: true
  /** Pages on this site that the page shows in a frame. Default: none. */
  readonly shows?: "itself"
  /** A stylesheet in addition to the common styles. */
  readonly style?: keyof typeof assets.styles
  /** CSS rules for this page, added after all stylesheets. */
  readonly css?: string | undefined
}

/**
 * Creates the response. Most URLs identify a guest, so pages are not cached and send no referrer. Public pages send
 * their origin.
 */
export const makePageReply = (status: number, context: RenderContext, page: Page): Reply => {
  const theme = context.accent === undefined ? undefined : buildThemeCss(context.accent)
  const dashboardSheet = page.style === "dashboard" ? assets.dashboardSheet : undefined
  const pageStyles = page.style === undefined ? [] : [assets.styles[page.style]]
  const cssTexts = [...theme === undefined ? [] : [theme], ...page.css === undefined ? [] : [page.css]]
  const styles = [
    ...dashboardSheet === undefined ? [assets.styles.public, ...pageStyles] : [],
    ...cssTexts.map((text) => ({ text, hash: toCspHash(text) }))
  ]
  const structuredData = page.about === undefined ? undefined : JSON.stringify(page.about).replaceAll("<", "\\u003c")
  const html = renderToString(
    <html lang={context.reader.language} data-embed={context.isEmbedded ? "" : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta
          name="viewport"
          content={`width=device-width, initial-scale=1${page.style === "dashboard" ? ", viewport-fit=cover" : ""}`}
        />
        <title>{page.title}</title>
        <link rel="icon" href="data:," />
        {page.description !== undefined && <meta name="description" content={page.description} />}
        {page.canonical === undefined
          ? <meta name="robots" content="noindex" />
          : (
            <>
              <link rel="canonical" href={page.canonical} />
              <meta property="og:type" content="website" />
              <meta property="og:title" content={page.title} />
              <meta property="og:description" content={page.description ?? ""} />
              <meta property="og:url" content={page.canonical} />
              {page.image !== undefined && <meta property="og:image" content={page.image} />}
            </>
          )}
        {page.onTo !== undefined && <meta http-equiv="refresh" content={`0; url=${page.onTo}`} />}
        {page.refresh !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={`${page.refresh.seconds}; url=${page.refresh.address}`} />
          </noscript>
        )}
        {dashboardSheet !== undefined && (
          <link rel="stylesheet" href={context.site.link(`/assets/${dashboardSheet.file}`)} />
        )}
        {styles.map(({ text }) => <style key={text.length} {...toInnerHtml(text)} />)}
        {structuredData !== undefined && <script type="application/ld+json" {...toInnerHtml(structuredData)} />}
        {context.isEmbedded && <script type="module" src={context.site.link(`/assets/${assets.scripts.embed.file}`)} />}
        {[page.script ?? []].flat().map((name) => (
          <script key={name} type="module" src={context.site.link(`/assets/${assets.scripts[name].file}`)} />
        ))}
      </head>
      <body>{page.body}</body>
    </html>
  )
  const frames = context.site.isWidget ? page.frames : undefined
  return {
    status,
    body: `<!doctype html>${html}`,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": [
        "default-src 'none'",
        "script-src 'self'",
        `style-src ${[...dashboardSheet === undefined ? [] : ["'self'"], ...styles.map(({ hash }) => hash)].join(" ")}`,
        `img-src 'self' data:${pictureOrigins(context)}`,
        ...page.shows === undefined ? [] : ["frame-src 'self'"],
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        `frame-ancestors ${frames ?? "'none'"}`
      ].join("; "),
      "cache-control": page.isCacheable === true ? "private, no-cache" : "no-store",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
      "referrer-policy": page.canonical === undefined ? "no-referrer" : "strict-origin-when-cross-origin",
      ...(frames === undefined ? { "x-frame-options": "DENY" } : {})
    }
  }
}

/** Returns the origins of the outfitter's own pictures, for the content security policy. */
const pictureOrigins = ({ pictures = [] }: RenderContext): string =>
  [...new Set(pictures.flatMap((address) => URL.canParse(address) ? [` ${new URL(address).origin}`] : []))].join("")

/** Inserts unescaped text, which must be CSS or JSON that cannot close its element. */
const toInnerHtml = (text: string) => ({ dangerouslySetInnerHTML: { __html: text } })

const toCspHash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
