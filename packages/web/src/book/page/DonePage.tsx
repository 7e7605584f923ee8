import type { PublicBookedView } from "@trailbook/core/operation"
import type { Page } from "../../ui/Document.tsx"
import { href } from "../../ui/href.ts"
import { Layout } from "../../ui/Layout.tsx"
import { bookText, type OfferingPageProps } from "../OfferingPageProps.ts"

/**
 * Renders the confirmation on an embedded booking page. This page is needed because the guest page cannot be framed.
 */
export const donePage = ({ open, shown }: OfferingPageProps, booking: PublicBookedView, email: string): Page => {
  const { format, text: { book } } = shown
  const isHeld = booking.status === "held"
  const until = booking.expires_at === null
    ? ""
    : `${format.day(booking.expires_at)}, ${format.time(booking.expires_at)}`
  return {
    title: `${book.done} · ${shown.org.name}`,
    ...bookText,
    body: (
      <Layout shown={shown}>
        <div class="banner" data-booked={booking.reference}>
          <span class="tick" aria-hidden="true">✓</span>
          <div class="stack tight">
            <h1>{isHeld ? book.confirmFirst : book.done}</h1>
            <p dir="auto">{open.offering.name}</p>
            <p class="soft">
              {isHeld ? book.confirmText(email, until) : book.doneText} {book.reference}{" "}
              <b class="num">{booking.reference}</b>
            </p>
          </div>
        </div>
        <p class="acts">
          <a class="btn" href={href(shown, `/b/${booking.handle}`)} target="_top">{book.openBooking}</a>
          <a class="btn ghost" href={href(shown, `/book/${shown.org.slug}`)}>{book.ask.back}</a>
        </p>
      </Layout>
    )
  }
}
