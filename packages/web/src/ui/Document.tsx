/**
 * A whole page: its head, its headers, and what it may do. Nothing of it is from elsewhere: no font, no script, no
 * picture of a third party, and the browser is told so.
 */
import type { Reply } from "@trailbook/http/Reply"
import { createHash } from "node:crypto"
import type { ComponentChildren } from "preact"
import { renderToString } from "preact-render-to-string"
import * as assets from "../assets/generated.ts"
import { themeCss } from "../style/theme.ts"
import type { RenderContext } from "./RenderContext.ts"

export interface Page {
  readonly title: string
  readonly body: ComponentChildren
  /** What search engines and messengers show. */
  readonly description?: string | undefined
  /** The one address of the page, where it may be found and shared; a page without one asks not to be indexed. */
  readonly canonical?: string | undefined
  /** What it is about, by schema.org. */
  readonly about?: object | undefined
  /** Of {@link assets.scripts}. */
  readonly script?: keyof typeof assets.scripts | ReadonlyArray<keyof typeof assets.scripts>
  /** The sites that may show it in a frame; none, when nothing is said. */
  readonly frames?: "*"
  /** Goes on to this address by itself, at once: a form may not be answered with a redirect elsewhere. */
  readonly onTo?: string
  /** Is asked for again after so many seconds, at this address, where no script does it: a page that leaves under a reader is lost to them. */
  readonly again?: { readonly address: string; readonly seconds: number } | undefined
  /**
   * Who goes back finds it as it was, with all that was typed and the key of the form. For pages that have nothing of
   * anybody in them: the browser keeps it.
   */
  readonly kept?: true
  /** The pages of this site that it shows within itself; none, when nothing is said. */
  readonly shows?: "itself"
  /** Beside the styles of all pages. */
  readonly style?: keyof typeof assets.styles
  /** Rules of this page alone, after all others. */
  readonly css?: string | undefined
}

/**
 * The answer with a page. Most often its address says who somebody is, so nobody keeps it and no other site is told the
 * address; a public page tells its origin.
 */
export const reply = (status: number, shown: RenderContext, page: Page): Reply => {
  const theme = shown.accent === undefined ? undefined : themeCss(shown.accent)
  const own = page.style === undefined ? undefined : assets.styles[page.style]
  const ruled = [...theme === undefined ? [] : [theme], ...page.css === undefined ? [] : [page.css]]
  const styles = [
    assets.styles.public,
    ...own === undefined ? [] : [own],
    ...ruled.map((text) => ({ text, hash: hashOf(text) }))
  ]
  const about = page.about === undefined ? undefined : JSON.stringify(page.about).replaceAll("<", "\\u003c")
  const html = renderToString(
    <html lang={shown.reader.language} data-embed={shown.isEmbedded ? "" : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
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
            </>
          )}
        {page.onTo !== undefined && <meta http-equiv="refresh" content={`0; url=${page.onTo}`} />}
        {page.again !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={`${page.again.seconds}; url=${page.again.address}`} />
          </noscript>
        )}
        {styles.map(({ text }) => <style key={text.length} {...raw(text)} />)}
        {about !== undefined && <script type="application/ld+json" {...raw(about)} />}
        {shown.isEmbedded && <script type="module" src={shown.site.link(`/assets/${assets.scripts.embed.file}`)} />}
        {[page.script ?? []].flat().map((name) => (
          <script key={name} type="module" src={shown.site.link(`/assets/${assets.scripts[name].file}`)} />
        ))}
      </head>
      <body>{page.body}</body>
    </html>
  )
  const frames = shown.site.isWidget ? page.frames : undefined
  return {
    status,
    body: `<!doctype html>${html}`,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": [
        "default-src 'none'",
        "script-src 'self'",
        `style-src ${styles.map(({ hash }) => hash).join(" ")}`,
        `img-src 'self' data:${pictures(shown)}`,
        ...page.shows === undefined ? [] : ["frame-src 'self'"],
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        `frame-ancestors ${frames ?? "'none'"}`
      ].join("; "),
      "cache-control": page.kept === true ? "private, no-cache" : "no-store",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
      "referrer-policy": page.canonical === undefined ? "no-referrer" : "strict-origin-when-cross-origin",
      ...(frames === undefined ? { "x-frame-options": "DENY" } : {})
    }
  }
}

/** Where the outfitter's own pictures are. */
const pictures = ({ pictures = [] }: RenderContext): string =>
  [...new Set(pictures.flatMap((address) => URL.canParse(address) ? [` ${new URL(address).origin}`] : []))].join("")

/** Text of ours that is no HTML: of the style, or of JSON in which nothing can end the element. */
const raw = (text: string) => ({ dangerouslySetInnerHTML: { __html: text } })

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
