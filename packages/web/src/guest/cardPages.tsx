/** Booking pages with a single card: the confirmation of a cancellation, the payment, and single messages. */
import type { GuestPageView } from "@trailbook/core/operation"
import { isMoneyWithheld } from "@trailbook/core/payment"
import type { ComponentChildren } from "preact"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import { Layout } from "../ui/Layout.tsx"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { FactRow } from "../ui/TripInfo.tsx"
import { formatDates, HoldCountdown } from "./BookingStatus.tsx"

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

const BackLink = ({ page, shown }: { readonly shown: OrgRenderContext; readonly page: GuestPageView }) => (
  <p class="acts">
    <a class="btn" href={href(shown, `/b/${page.booking.handle}`)}>{shown.text.guest.closed.back}</a>
  </p>
)

/** Explains why the booking can no longer be changed. */
export const bookingClosedPage = (context: OrgRenderContext, page: GuestPageView): Page => {
  const { text: { guest } } = context
  const { closed } = guest
  const { booking, is_erased, org } = page
  const bookingUrl = href(context, `/b/${booking.handle}`)
  return cardPage(
    context,
    { title: closed.title },
    <>
      {!is_erased && <p>{closedReason(context, page)}</p>}
      <p class="acts">
        {!is_erased && <a class="btn" href={`${bookingUrl}#messages`}>{guest.write(org.name)}</a>}
        <a class="btn ghost" href={bookingUrl}>{closed.back}</a>
      </p>
    </>
  )
}

const closedReason = (context: OrgRenderContext, { changes: { until }, now, org }: GuestPageView): string => {
  const { text: { guest: { closed } } } = context
  if (until === null) return closed.never(org.name)
  // If the deadline has not passed, the reason is that the booking is canceled or still on hold.
  return until > now ? closed.notNow(org.name) : closed.since(org.name, context.format.momentWithZone(until))
}

/** Renders a link to the checkout, with the time remaining to pay. */
export const payPage = (context: OrgRenderContext, page: GuestPageView, url: string): Page => {
  const { format, text: { book, frame, guest } } = context
  const { booking, offering, online_cents } = page
  const isBalance = booking.status === "confirmed"
  const cents = isBalance ? booking.due_cents : booking.total_cents
  const isDeposit = !isBalance && online_cents < cents
  return cardPage(
    context,
    { title: guest.checkout.title, script: "guest" },
    <>
      <p dir="auto">{offering.name}</p>
      {!isBalance && (
        <p>
          {guest.checkout.lead(booking.expires_at === null ? "" : context.format.momentWithZone(booking.expires_at))}
          {" "}
          <HoldCountdown shown={context} page={page} />
        </p>
      )}
      <dl class="sum">
        <FactRow label={isBalance ? guest.balance : book.total} total={!isDeposit} class="num">
          {format.money(cents)}
        </FactRow>
        {isDeposit && <FactRow label={book.deposit} total class="num">{format.money(online_cents)}</FactRow>}
      </dl>
      <p class="acts">
        <a class="btn" href={url} rel="noreferrer" target={context.isEmbedded ? "_top" : undefined}>
          {guest.checkout.go}
        </a>
        <a class="btn ghost" href={href(context, `/b/${booking.handle}`)}>{frame.back}</a>
      </p>
    </>
  )
}

/** Renders the page for a booking that has no payment due or whose payment deadline has passed. */
export const paymentUnavailablePage = (context: OrgRenderContext, page: GuestPageView, isLate: boolean): Page => {
  const { text: { guest: { checkout } } } = context
  return cardPage(
    context,
    { title: checkout.title },
    <>
      <p>{isLate ? checkout.late : checkout.nothing}</p>
      <BackLink shown={context} page={page} />
    </>
  )
}

/** The interval for polling the payment status. */
const pollSeconds = 3

/** Renders the page that is shown after the checkout until the payment is confirmed. */
export const paymentPendingPage = (
  context: OrgRenderContext,
  page: GuestPageView,
  address: string | undefined
): Page => {
  const { text: { guest: { checkout } } } = context
  const refresh = address === undefined ? undefined : { address, seconds: pollSeconds }
  return cardPage(
    context,
    { title: checkout.wait, script: "guest", refresh: refresh },
    <>
      <output data-again={refresh?.seconds}>{checkout.waitText}</output>
      <BackLink shown={context} page={page} />
    </>
  )
}

/**
 * Renders the landing page for a mailed link. Only a POST uses up the link, because mail scanners open links with GET.
 */
export const mailedLinkPage = (context: OrgRenderContext, page: GuestPageView, address: string): Page => {
  const { text: { guest: { link } } } = context
  return cardPage(
    context,
    { title: link.title },
    <>
      <p>{link.text(page.org.name)}</p>
      <form method="post" action={address}>
        <button class="btn">{link.do}</button>
      </form>
    </>
  )
}

export const mailedLinkExpiredPage = (context: OrgRenderContext, page: GuestPageView): Page => {
  const { text: { guest: { link } } } = context
  return cardPage(
    context,
    { title: link.title, heading: <h1>{link.over}</h1> },
    <p class="acts">
      <a class="btn" href={`${href(context, `/b/${page.booking.handle}`)}#messages`}>{link.another}</a>
    </p>
  )
}

/** Renders the confirmation page for a cancellation, with the refund amount. */
export const cancelPage = (context: OrgRenderContext, page: GuestPageView): Page => {
  const { format, text: { guest } } = context
  const { stop } = guest
  const { booking, changes, is_paid, now, offering, online_cents } = page
  const { back_cents: back, refund_cents: refund } = changes
  const paidText = format.money(booking.paid_cents)
  const money = refund > 0
    ? back === booking.paid_cents ? stop.refund(format.money(refund)) : stop.part(format.money(refund), paidText)
    : isMoneyWithheld(booking.dispute)
    ? stop.disputed(format.money(online_cents))
    : booking.paid_cents > 0 && back === 0 && booking.starts_at > now
    ? stop.nothingBack(paidText)
    : is_paid
    ? stop.kept(format.money(online_cents))
    : stop.nothing
  const heading = (
    <div class="stack tight">
      <h1>{stop.title}</h1>
      <p dir="auto">{offering.name}</p>
      <p class="soft">{formatDates(context, booking)}</p>
    </div>
  )
  return cardPage(
    context,
    { title: stop.title, script: "guest", heading },
    <>
      <p>
        <b>{back > refund && refund === 0 ? "" : money}</b> {back > refund && stop.desk(format.money(back - refund))}
      </p>
      {changes.policy !== "" && <p class="words soft" dir="auto">{changes.policy}</p>}
      <p>
        {stop.consequence} {stop.mail}
      </p>
      <form class="acts" method="post" action={href(context, `/b/${booking.handle}/cancel`)} data-once="">
        <button class="btn danger">{guest.cancel}</button>
        <a class="btn ghost" href={href(context, `/b/${booking.handle}`)}>{stop.stay}</a>
      </form>
    </>
  )
}

/** Renders the page that strangers see when they scan a booking's QR code. */
export const checkInPage = (context: OrgRenderContext): Page => {
  const { org, text: { guest } } = context
  return cardPage(context, { title: guest.showStaff }, <p dir="auto">{guest.showStaffText(org.name)}</p>)
}
