import type { ComponentChildren } from "preact"
import type { Page } from "../ui/Document.tsx"
import { Layout } from "../ui/Layout.tsx"
import type { OrgRenderContext } from "../ui/RenderContext.ts"

/** Renders a booking page with a single card. */
export const cardPage = (
  context: OrgRenderContext,
  page: Omit<Page, "body" | "style"> & { readonly heading?: ComponentChildren },
  children: ComponentChildren
): Page => ({
  ...page,
  style: "guest",
  body: (
    <Layout shown={context}>
      <div class="card pad stack narrow">
        {page.heading ?? <h1>{page.title}</h1>}
        {children}
      </div>
    </Layout>
  )
})
