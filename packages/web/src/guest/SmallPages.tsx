/**
 * Pages of a booking that say one thing.
 */
import type { GuestPageView } from "@trailbook/core/operation/GuestView"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import { Layout } from "../ui/Layout.tsx"
import type { ShownOf } from "../ui/Shown.ts"
import { momentOf } from "./Facts.ts"
import { Left } from "./Standing.tsx"

const Card = ({ children, shown, title }: {
  readonly shown: ShownOf
  readonly title: string
  readonly children: preact.ComponentChildren
}) => (
  <Layout shown={shown}>
    <div class="card pad stack narrow">
      <h1>{title}</h1>
      {children}
    </div>
  </Layout>
)

const Back = ({ page, shown }: { readonly shown: ShownOf; readonly page: GuestPageView }) => (
  <p class="acts">
    <a class="btn" href={href(shown, `/b/${page.booking.handle}`)}>{shown.text.guest.closed.back}</a>
  </p>
)

/**
 * Why nothing can be changed.
 *
 * @category views
 */
export const closedPage = (shown: ShownOf, page: GuestPageView): Page => {
  const { text: { guest: { closed } } } = shown
  const { booking, is_erased, org } = page
  const home = href(shown, `/b/${booking.handle}`)
  return {
    title: closed.title,
    style: "guest",
    body: (
      <Card shown={shown} title={closed.title}>
        {!is_erased && <p>{whyClosed(shown, page)}</p>}
        <p class="acts">
          {!is_erased && <a class="btn" href={`${home}#messages`}>{closed.write(org.name)}</a>}
          <a class="btn ghost" href={home}>{closed.back}</a>
        </p>
      </Card>
    )
  }
}

const whyClosed = (shown: ShownOf, { changes: { until }, now, org }: GuestPageView): string => {
  const { text: { guest: { closed } } } = shown
  if (until === null) return closed.never(org.name)
  // There would be time, so the reason is the booking: it is cancelled, or only held.
  return until > now ? closed.notNow(org.name) : closed.since(org.name, momentOf(shown, until))
}

/**
 * Where it is paid, with the time that is left.
 *
 * @category views
 */
export const payPage = (shown: ShownOf, page: GuestPageView, url: string): Page => {
  const { format, text: { guest } } = shown
  const { booking, offering } = page
  return {
    title: guest.checkout.title,
    style: "guest",
    script: "guest",
    body: (
      <Card shown={shown} title={guest.checkout.title}>
        <p dir="auto">{offering.name}</p>
        <p>
          {guest.checkout.lead(booking.expires_at === null ? "" : momentOf(shown, booking.expires_at))}{" "}
          <Left shown={shown} page={page} />
        </p>
        <dl class="sum">
          <div class="total">
            <dt>{guest.total}</dt>
            <dd class="num">{format.money(booking.total_cents)}</dd>
          </div>
        </dl>
        <p class="acts">
          <a class="btn" href={url} rel="noreferrer" target={shown.isEmbedded ? "_top" : undefined}>
            {guest.checkout.go}
          </a>
          <a class="btn ghost" href={href(shown, `/b/${booking.handle}`)}>{shown.text.frame.back}</a>
        </p>
      </Card>
    )
  }
}

/**
 * There is nothing to pay, or it is too late to.
 *
 * @category views
 */
export const noPayPage = (shown: ShownOf, page: GuestPageView, isLate: boolean): Page => {
  const { text: { guest: { checkout } } } = shown
  return {
    title: checkout.title,
    style: "guest",
    body: (
      <Card shown={shown} title={checkout.title}>
        <p>{isLate ? checkout.late : checkout.nothing}</p>
        <Back shown={shown} page={page} />
      </Card>
    )
  }
}

/** Between two looks for the payment. */
const seconds = 3

/**
 * Whoever comes back from paying waits for the news of it.
 *
 * @category views
 */
export const waitPage = (shown: ShownOf, page: GuestPageView, again: string | undefined): Page => {
  const { text: { guest: { checkout } } } = shown
  return {
    title: checkout.wait,
    style: "guest",
    script: "guest",
    again: again === undefined ? undefined : { address: again, seconds },
    body: (
      <Card shown={shown} title={checkout.wait}>
        <output data-again={again === undefined ? undefined : seconds}>{checkout.waitText}</output>
        <Back shown={shown} page={page} />
      </Card>
    )
  }
}

/**
 * A mailed link, which a POST spends: those who look through mails only open it.
 *
 * @category views
 */
export const linkPage = (shown: ShownOf, page: GuestPageView, address: string): Page => {
  const { text: { guest: { link } } } = shown
  return {
    title: link.title,
    style: "guest",
    body: (
      <Card shown={shown} title={link.title}>
        <p>{link.text(page.org.name)}</p>
        <form method="post" action={address}>
          <button class="btn">{link.do}</button>
        </form>
      </Card>
    )
  }
}

/**
 * @category views
 */
export const linkOverPage = (shown: ShownOf, page: GuestPageView): Page => {
  const { text: { guest: { link } } } = shown
  return {
    title: link.title,
    style: "guest",
    body: (
      <Card shown={shown} title={link.over}>
        <p class="acts">
          <a class="btn" href={`${href(shown, `/b/${page.booking.handle}`)}#messages`}>{link.another}</a>
        </p>
      </Card>
    )
  }
}
