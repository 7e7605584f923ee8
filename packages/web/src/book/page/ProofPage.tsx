import type { Page } from "../../ui/Document.tsx"
import { href } from "../../ui/href.ts"
import { Layout } from "../../ui/Layout.tsx"
import type { OrgRenderContext } from "../../ui/RenderContext.ts"
import { bookText } from "../OfferingPageProps.ts"

/**
 * Renders the page for a mailed link that confirms a guest's address. It is shown before and after the guest presses
 * the button, and if the link has expired.
 */
export const proofPage = (context: OrgRenderContext, link: "new" | "used" | "invalid"): Page => {
  const { org, text: { book: { unproven } } } = context
  return {
    title: `${unproven.title} · ${org.name}`,
    ...bookText,
    body: (
      <Layout shown={context}>
        <section class="card pad stack">
          <h1>{unproven.title}</h1>
          <p role={link === "new" ? undefined : "status"}>{unproven[link]}</p>
          {link === "new"
            ? (
              <form method="post" data-once="">
                <button class="btn">{unproven.confirm}</button>
              </form>
            )
            : (
              <p>
                <a class="btn ghost" href={href(context, `/book/${org.slug}`)}>{unproven.trips}</a>
              </p>
            )}
        </section>
      </Layout>
    )
  }
}
