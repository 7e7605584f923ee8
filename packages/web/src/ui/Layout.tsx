import type { ComponentChildren } from "preact"
import { getZoneCity } from "../text/Format.ts"
import type { Page } from "./Document.tsx"
import { buildImageHref, href } from "./href.ts"
import { getNameInitial } from "./PlaceholderImage.tsx"
import type { OrgRenderContext } from "./RenderContext.ts"
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
