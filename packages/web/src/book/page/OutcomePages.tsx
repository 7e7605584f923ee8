import type { PublicBookingView } from "@trailbook/core/operation"
import type { Page } from "../../ui/Document.tsx"
import { href } from "../../ui/href.ts"
import { Layout } from "../../ui/Layout.tsx"
import type { OrgRenderContext } from "../../ui/RenderContext.ts"
import { bookPageOptions, type OfferingPageProps } from "../OfferingPageProps.tsx"

/**
 * Renders the confirmation on an embedded booking page. This page is needed because the guest page cannot be framed.
 */
export const bookingConfirmationPage = (
  { monthView, context }: OfferingPageProps,
  booking: PublicBookingView,
  email: string
): Page => {
  const { format, text: { book } } = context
  const isHeld = booking.status === "held"
  const until = booking.expires_at === null
    ? ""
    : format.moment(booking.expires_at)
  return {
    title: `${book.done} · ${context.org.name}`,
    ...bookPageOptions,
    body: (
      <Layout shown={context}>
        <div class="banner" data-booked={booking.reference}>
          <span class="tick" aria-hidden="true">✓</span>
          <div class="stack tight">
            <h1>{isHeld ? book.confirmFirst : book.done}</h1>
            <p dir="auto">{monthView.offering.name}</p>
            <p class="soft">
              {isHeld ? book.confirmText(email, until) : book.doneText} {book.reference}{" "}
              <b class="num">{booking.reference}</b>
            </p>
          </div>
        </div>
        <p class="acts">
          <a class="btn" href={href(context, `/b/${booking.handle}`)} target="_top">{book.openBooking}</a>
          <a class="btn ghost" href={href(context, `/book/${context.org.slug}`)}>{book.ask.back}</a>
        </p>
      </Layout>
    )
  }
}

/**
 * Renders the page between the form and the provider's checkout. The page is needed because the content security policy
 * blocks form submissions that redirect to another origin. In a frame, the link opens the checkout in the top window,
 * because a checkout cannot be framed.
 */
export const checkoutLinkPage = (props: OfferingPageProps, booking: PublicBookingView, checkout: string): Page => {
  const { context } = props
  const { format, isEmbedded, text: { book } } = context
  const until = format.time(booking.expires_at ?? "1970-01-01T00:00:00.000Z")
  return {
    title: `${book.payTitle} · ${context.org.name}`,
    frames: "*",
    style: "book",
    ...(isEmbedded ? {} : { onTo: checkout }),
    body: (
      <Layout shown={context}>
        <div class="card pad stack">
          <h1>{book.payTitle}</h1>
          <p>{isEmbedded ? book.payTextEmbedded(until) : book.payText(until)}</p>
          <p class="acts">
            <a class="btn" href={checkout} target="_top" rel="noopener">
              {book.pay(format.money(booking.due_now_cents))}
            </a>
            <a class="btn ghost" href={href(context, `/b/${booking.handle}`)} target="_top">{book.openBooking}</a>
          </p>
        </div>
      </Layout>
    )
  }
}

/**
 * Renders the page that a mailed link opens to confirm a guest's address. It is shown before and after the guest
 * presses the button, and also if the link has expired.
 */
export const addressConfirmationPage = (context: OrgRenderContext, link: "new" | "used" | "invalid"): Page => {
  const { org, text: { book: { unproven } } } = context
  return {
    title: `${unproven.title} · ${org.name}`,
    ...bookPageOptions,
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
