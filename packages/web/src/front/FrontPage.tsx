import type { Page } from "../ui/Document.tsx"
import { framePage } from "../ui/Layout.tsx"
import type { RenderContext } from "../ui/RenderContext.ts"

/** The outfitter on a server with a single org. A server with several orgs does not disclose their names. */
export type FrontPageOwner = { readonly name: string; readonly slug: string } | "several" | "none"

/** Renders a server's root page, with links to its other pages. */
export const frontPage = (context: RenderContext, root: string, owner: FrontPageOwner): Page => {
  const { site, text: { front } } = context
  const links = [
    ...typeof owner === "string" ? [] : [
      { to: site.link(`/book/${owner.slug}`), label: front.book(owner.name), text: front.bookText },
      { to: site.link(`/widget/${owner.slug}`), label: front.widget, text: front.widgetText }
    ],
    ...owner === "none" ? [] : [{ to: site.link("/dashboard"), label: front.staff, text: front.staffText }],
    { to: site.link("/reference"), label: front.reference, text: front.referenceText },
    { to: docsUrl, label: front.docs, text: front.docsText }
  ]
  return framePage(
    front.title,
    <>
      <p>{front.lead}</p>
      {owner === "none" && (
        <>
          <p>{front.noOutfitter}</p>
          <p>
            <code dir="ltr">trailbook org create --name "Your Outfitter" --timezone America/Denver</code>
          </p>
        </>
      )}
      {owner === "several" && (
        <p>
          {front.pages} <code dir="ltr">{root}/book/…</code>
        </p>
      )}
      <ul class="ways">
        {links.map(({ label, text, to }, nth) => (
          <li key={to} class={nth === 0 && typeof owner !== "string" ? "card first" : "card"}>
            <a href={to} dir="auto">{label}</a>
            <span class="soft">{text}</span>
          </li>
        ))}
      </ul>
      <p class="soft small">
        <a href={site.link("/v1/openapi.json")}>{front.description}</a> · {front.assistants}{" "}
        <code dir="ltr">{root}/mcp</code>
      </p>
    </>,
    "front"
  )
}

/** Renders the page for browsers that open the root of the API. */
export const apiPage = (context: RenderContext, root: string): Page => {
  const { site, text: { front } } = context
  return framePage(
    front.api.title,
    <>
      <p>{front.api.lead}</p>
      <pre class="card pad"><code dir="ltr">{`curl -H "Authorization: Bearer …" ${root}/v1/offerings`}</code></pre>
      <p class="acts">
        <a class="btn" href={site.link("/reference")}>{front.api.reference}</a>
        <a class="btn ghost" href={site.link("/v1/openapi.json")}>{front.description}</a>
        <a class="btn ghost" href={site.link("/")}>{front.api.all}</a>
      </p>
    </>,
    "front"
  )
}

const docsUrl = "https://github.com/trailbook/trailbook/tree/main/docs"
