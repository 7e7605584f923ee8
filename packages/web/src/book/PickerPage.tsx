import { Art } from "../ui/Art.tsx"
import type { Page } from "../ui/Document.tsx"
import { Hidden } from "../ui/Field.tsx"
import { href } from "../ui/href.ts"
import { Layout } from "../ui/Layout.tsx"
import { Calendar } from "./Calendar.tsx"
import { offerOf } from "./OfferingsPage.tsx"
import { ofBook, pathOf, type Picked } from "./Picked.ts"
import { Price } from "./Price.tsx"
import { Steps } from "./Steps.tsx"
import { Times } from "./Times.tsx"
import { Wanted } from "./Wanted.tsx"

/**
 * When: how many, the month, and the times of a day.
 *
 * @category views
 */
export const pickerPage = (picked: Picked): Page => {
  const { open: { offering }, shown, typed } = picked
  const { format, org, site } = shown
  return {
    title: `${offering.name} · ${org.name}`,
    description: offering.description === "" ? offering.name : offering.description.slice(0, 300),
    canonical: typed === undefined ? site.absolute(pathOf(picked)) : undefined,
    ...ofBook,
    ...(typed === undefined ? { kept: true as const } : {}),
    about: {
      "@context": "https://schema.org",
      ...offerOf(shown, offering),
      seller: { "@type": "Organization", name: org.name }
    },
    body: (
      <Layout shown={shown}>
        <Steps at="time" picked={picked} />
        <div class="stack tight">
          <h1 dir="auto">{offering.name}</h1>
          <p class="facts">
            <span>{format.length(offering.duration_minutes)}</span>
            {offering.location !== "" && <span dir="auto">{offering.location}</span>}
            <Price shown={shown} offering={offering} />
          </p>
        </div>
        <div class="split">
          <div class="card pad" id="pick">
            {typed === undefined ? <Pick picked={picked} /> : <PickAgain picked={picked} typed={typed} />}
          </div>
          <aside class="card about stick">
            <div class="art">
              <Art seed={offering.id} />
            </div>
            {offering.description !== "" && <p class="pad words" dir="auto">{offering.description}</p>}
          </aside>
        </div>
      </Layout>
    )
  }
}

const Pick = ({ picked }: { readonly picked: Picked }) => (
  <div class="stack">
    {picked.isLost && <News>{picked.shown.text.book.lost}</News>}
    <Wanted picked={picked} />
    <div class="pick">
      <Calendar picked={picked} />
      <Times picked={picked} />
    </div>
  </div>
)

const News = ({ children }: { readonly children: string }) => (
  <p class="note" role="alert" tabIndex={-1} data-focus="">{children}</p>
)

/** The place was lost after all was typed. It stays in the form, and so out of any address. */
const PickAgain = ({ picked, typed }: { readonly picked: Picked; readonly typed: NonNullable<Picked["typed"]> }) => {
  const { open, shown } = picked
  return (
    <form class="stack" method="post" action={href(shown, pathOf(picked, "/details"))}>
      <News>{`${shown.text.book.lost} ${shown.text.book.kept}`}</News>
      <Hidden values={{ ...typed, on: open.date ?? undefined }} />
      <Wanted picked={picked} />
      <div class="pick">
        <Calendar picked={picked} />
        <Times picked={picked} />
      </div>
    </form>
  )
}
