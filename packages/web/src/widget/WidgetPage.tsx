import type { publicPageGet } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import { h } from "preact"
import { scripts } from "../assets/generated.ts"
import { toTravelAgency } from "../book/page/OfferingsPage.tsx"
import { getPublicUrl } from "../Site.ts"
import { defaultAccent } from "../style/theme.ts"
import { languages } from "../text/Text.ts"
import type { Page } from "../ui/Document.tsx"
import { Layout } from "../ui/Layout.tsx"
import type { OrgRenderContext } from "../ui/RenderContext.ts"

type Offerings = Operation.Output<typeof publicPageGet>["offerings"]

/** Renders the widget's setup page, with the embed code and a preview. */
export const widgetPage = (context: OrgRenderContext, offerings: Offerings): Page => {
  const { org, site, text: { widget }, url } = context
  const offering = offerings.find(({ id }) => id === url.searchParams.get("offering"))?.id
  const accent = context.accent ?? org.accent ?? defaultAccent
  const isCustomAccent = accent !== (org.accent ?? defaultAccent)
  const pageUrl = getPublicUrl(context, offering === undefined ? `/book/${org.slug}` : `/book/${org.slug}/${offering}`)
  // Outfitters copy this text into other websites, so insert only a known language and never raw query text.
  const language = languages.find((code) => code === url.searchParams.get("lang"))
  const widgetProps = { slug: org.slug, offering, accent: isCustomAccent ? accent : undefined, lang: language }
  const attributes = Object.entries(widgetProps).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`]
  )
  const code = [
    `<script type="module" src="${getPublicUrl(context, "/widget.js")}"></script>`,
    `<trailbook-booking ${attributes.join(" ")}>`,
    `  <a href="${pageUrl}">${widget.link}</a>`,
    `</trailbook-booking>`
  ].join("\n")
  const options = { offering, accent: widgetProps.accent, lang: language }
  const dataAttributes = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [` data-${name}="${value}"`]
  )
  const buttonCode = `<script type="module" src="${getPublicUrl(context, `/book/${org.slug}/button.js`)}"${
    dataAttributes.join("")
  }></script>`
  return {
    title: widget.title,
    style: "widget",
    shows: "itself",
    script: "widget",
    body: (
      <Layout shown={context}>
        <div class="stack tight">
          <h1>{widget.title}</h1>
          <p class="soft">{widget.lead}</p>
        </div>
        <form class="card pad stack" method="get" action={site.link(`/widget/${org.slug}`)}>
          <p class="field">
            <label for="offering">{widget.offering}</label>
            <select id="offering" name="offering">
              <option value="">{widget.all}</option>
              {offerings.map(({ id, name }) => <option key={id} value={id} selected={id === offering}>{name}</option>)}
            </select>
          </p>
          <p class="field">
            <label for="accent">{widget.accent}</label>
            <input id="accent" type="color" name="accent" value={accent} />
          </p>
          <p class="field">
            <label for="lang">{widget.language}</label>
            <select id="lang" name="lang">
              {languages.map((name) => (
                <option key={name} value={name} selected={name === context.reader.language}>
                  {widget.languages[name]}
                </option>
              ))}
            </select>
          </p>
          <p>
            <button class="btn ghost">{widget.update}</button>
          </p>
        </form>
        <section class="stack tight" aria-labelledby="code">
          <h2 id="code">{widget.code}</h2>
          <pre class="card pad code"><code>{code}</code></pre>
          <p class="soft small">
            {widget.policy} <code>script-src {url.origin}; frame-src {url.origin}</code>
          </p>
        </section>
        <section class="stack tight" aria-labelledby="button">
          <h2 id="button">{widget.button}</h2>
          <p class="soft">{widget.buttonLead}</p>
          <pre class="card pad code"><code>{buttonCode}</code></pre>
        </section>
        <section class="stack tight" aria-labelledby="preview">
          <h2 id="preview">{widget.preview}</h2>
          <div class="frame">
            {h("trailbook-booking", { ...widgetProps, title: widget.preview }, <a href={pageUrl}>{widget.link}</a>)}
          </div>
        </section>
      </Layout>
    )
  }
}

/** Returns the Book button's script, preceded by the outfitter's text, color, and trips. */
export const buildButtonScript = (context: OrgRenderContext, offerings: Offerings): string => {
  const { org, text: { widget } } = context
  const buttonData = {
    accent: org.accent ?? defaultAccent,
    book: widget.book,
    close: widget.close,
    about: toTravelAgency(context, offerings)
  }
  return `const trailbook=${JSON.stringify(buttonData)};${scripts.popup.text}`
}
