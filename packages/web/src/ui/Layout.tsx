/**
 * The frames of the public pages, and the error pages. Every missing resource gets the same page, whatever the reason.
 */
import type { HttpFailure } from "@trailbook/http/HttpFailure"
import type { Reply } from "@trailbook/http/response/Reply"
import type { ComponentChildren } from "preact"
import { getZoneCity } from "../text/Format.ts"
import type { Text } from "../text/Text.ts"
import { makePageReply, type Page } from "./Document.tsx"
import { buildImageHref, href } from "./href.ts"
import { getNameInitial } from "./PlaceholderImage.tsx"
import type { OrgRenderContext, RenderContext } from "./RenderContext.ts"
import { PhoneLink } from "./TripInfo.tsx"

/** The frame for an outfitter's pages: the name, links to the offerings and the question form, and the time zone. */
export const Layout = (
  { children, shown }: { readonly shown: OrgRenderContext; readonly children: ComponentChildren }
) => {
  const { isEmbedded, org, reader, text: { frame }, url } = shown
  const other = reader.language === "en" ? "es" : "en"
  const elsewhere = new URL(url)
  elsewhere.searchParams.set("lang", other)
  return (
    <div class="wrap">
      <a class="skip btn" href="#content">{frame.skip}</a>
      {!isEmbedded && (
        <header class="top">
          {org.logo_url === null
            ? <span class="mark" aria-hidden="true">{getNameInitial(org.name)}</span>
            : (
              <img
                class="mark"
                src={buildImageHref(shown, org.logo_url)}
                alt=""
                width={36}
                height={36}
                referrerpolicy="no-referrer"
              />
            )}
          <a class="name" href={href(shown, `/book/${org.slug}`)} dir="auto">{org.name}</a>
          {org.phone === null
            ? <a class="end small" href={href(shown, `/book/${org.slug}/question`)}>{frame.ask}</a>
            : <PhoneLink class="end small" phone={org.phone} />}
        </header>
      )}
      <main id="content" class="stack" tabIndex={-1}>
        {org.away_notice !== null && <p class="note words" role="note" dir="auto">{org.away_notice}</p>}
        {children}
      </main>
      <footer class="foot">
        {!isEmbedded && <span dir="auto">{org.name}</span>}
        <span>{frame.zone(getZoneCity(org.timezone))}</span>
        {org.phone !== null && !isEmbedded && <a href={href(shown, `/book/${org.slug}/question`)}>{frame.ask}</a>}
        <a href={elsewhere.search} hreflang={other} lang={other}>{frame.otherLanguage}</a>
        {!isEmbedded && <span>{frame.made}</span>}
      </footer>
    </div>
  )
}

/** Renders the frame for pages without an outfitter. Sign-in pages are a single centered card. */
export const framePage = (title: string, children: ComponentChildren, style: "front" | "signIn" = "signIn"): Page => ({
  title,
  style,
  body: (
    <div class="wrap">
      <main id="content" class={style === "front" ? "front stack" : "narrow stack"}>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
})

/** Why access is forbidden: the form came from another site, or the action is limited to owners. */
export type ForbiddenReason = "foreign" | "owners"

export const makeErrorReply = (
  context: RenderContext,
  failure: HttpFailure,
  requestId: string,
  forbidden: ForbiddenReason = "foreign"
): Reply => {
  const { text, title } = wordsOf(context.text.frame.wrong, failure, forbidden)
  const { broken } = context.text.frame.wrong
  return makePageReply(failure.status, context, {
    title,
    // Allow frames, because errors must also be visible on an embedded booking page.
    frames: "*",
    body: (
      <div class="wrap">
        <main class="stack lost">
          <h1>{title}</h1>
          <p>{text}</p>
          {failure.status >= 500 && <p class="soft small">{broken.id(requestId)}</p>}
        </main>
      </div>
    )
  })
}

const wordsOf = (wrong: Text["frame"]["wrong"], { code, headers, status }: HttpFailure, forbidden: ForbiddenReason) => {
  if (status === 404 || status === 405) return wrong.notFound
  if (status === 403 && code === "forbidden") return wrong[forbidden]
  if (status === 429) return { ...wrong.often, text: wrong.often.text(Number(headers["retry-after"] ?? 60)) }
  if (status === 503) return wrong.unavailable
  return status >= 500 ? wrong.broken : wrong.unreadable
}
