import type { PublicBookedView } from "@trailbook/core/operation"
import type { Page } from "../../ui/Document.tsx"
import { href } from "../../ui/href.ts"
import { Layout } from "../../ui/Layout.tsx"
import type { OfferingPageProps } from "../OfferingPageProps.ts"

/**
 * Renders the page between the form and the provider's checkout. The page is needed because the content security policy
 * blocks redirects from a form to another origin. In a frame, the link opens the checkout in the top window, because a
 * checkout cannot be framed.
 */
export const payPage = (props: OfferingPageProps, booking: PublicBookedView, checkout: string): Page => {
  const { shown } = props
  const { format, isEmbedded, text: { book } } = shown
  const until = format.time(booking.expires_at ?? "1970-01-01T00:00:00.000Z")
  return {
    title: `${book.payTitle} · ${shown.org.name}`,
    frames: "*",
    style: "book",
    ...(isEmbedded ? {} : { onTo: checkout }),
    body: (
      <Layout shown={shown}>
        <div class="card pad stack">
          <h1>{book.payTitle}</h1>
          <p>{isEmbedded ? book.payTextEmbedded(until) : book.payText(until)}</p>
          <p class="acts">
            <a class="btn" href={checkout} target="_top" rel="noopener">
              {book.pay(format.money(booking.due_now_cents))}
            </a>
            <a class="btn ghost" href={href(shown, `/b/${booking.handle}`)} target="_top">{book.openBooking}</a>
          </p>
        </div>
      </Layout>
    )
  }
}
