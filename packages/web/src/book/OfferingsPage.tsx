import type { Operation } from "@trailbook/core/operation/Operation"
import type { visitPage } from "@trailbook/core/operation/visitOperations"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import { Layout } from "../ui/Layout.tsx"
import type { ShownOf } from "../ui/Shown.ts"

type Offerings = Operation.Output<typeof visitPage>["offerings"]

/**
 * What an outfitter offers.
 *
 * @category views
 */
export const offeringsPage = (shown: ShownOf, offerings: Offerings): Page => {
  const { org, site, text: { book } } = shown
  return {
    title: book.title(org.name),
    description: offerings.map(({ name }) => name).join(", "),
    canonical: site.absolute(`/book/${org.slug}`),
    frames: "*",
    body: (
      <Layout shown={shown}>
        <h1>{book.title(org.name)}</h1>
        {offerings.length === 0 ? <p class="soft">{book.nothing}</p> : <p class="soft">{book.lead}</p>}
        <ul class="offers">
          {offerings.map(({ id, name }) => (
            <li key={id}>
              <a href={href(shown, `/book/${org.slug}/${id}`)}>{name}</a>
            </li>
          ))}
        </ul>
      </Layout>
    )
  }
}
