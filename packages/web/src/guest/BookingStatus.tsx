/** The booking's status as shown to the guest, and its dates and duration. */
import type { GuestPageView } from "@trailbook/core/operation"
import { isMoneyWithheld } from "@trailbook/core/payment"
import { HiddenFields } from "../ui/Field.tsx"
import { href } from "../ui/href.ts"
import type { OrgRenderContext } from "../ui/RenderContext.ts"

/** The booking's status and the most important action. */
export const BookingStatus = ({ mailed, page, shown }: {
  readonly shown: OrgRenderContext
  readonly page: GuestPageView
  /** The secret from the mailed link that opened this page. */
  readonly mailed: string | undefined
}) => {
  const { text: { book, guest } } = shown
  const { booking, is_erased, org } = page
  const until = booking.expires_at === null ? "" : shown.format.momentWithZone(booking.expires_at)
  const bookAgainLink = <a class="btn" href={href(shown, `/book/${org.slug}`)}>{guest.again}</a>
  if (is_erased) return <Banner mark="–" title={guest.erased}>{guest.erasedText}</Banner>
  if (booking.status === "held" && page.email_due && mailed !== undefined) {
    return (
      <Banner mark="!" title={guest.confirmFirst} warn>
        {guest.confirmText(until)} <HoldCountdown page={page} shown={shown} />
        <form method="post" action={href(shown, `/b/${booking.handle}/mailed`)} data-once="">
          <HiddenFields values={{ link: mailed }} />
          <button class="btn">{guest.confirm}</button>
        </form>
      </Banner>
    )
  }
  switch (getBookingState(page)) {
    case "toConfirm":
      return (
        <Banner mark="…" title={book.confirmFirst}>
          {book.confirmText(page.contact?.email ?? "", until)} <HoldCountdown page={page} shown={shown} />
        </Banner>
      )
    case "toPay":
      return (
        <Banner mark="!" title={guest.payFirst} warn>
          {guest.confirmText(until)} <HoldCountdown page={page} shown={shown} />
          <p class="acts">
            <a class="btn" href={href(shown, `/b/${booking.handle}/pay`)}>
              {book.pay(shown.format.money(page.online_cents))}
            </a>
            <a class="btn ghost" href={href(shown, `/b/${booking.handle}/paid`)}>{guest.paidAlready}</a>
          </p>
        </Banner>
      )
    case "held":
      return (
        <Banner mark="…" title={guest.held}>
          {guest.heldText(until)} <HoldCountdown page={page} shown={shown} />
        </Banner>
      )
    case "lapsed":
      return (
        <Banner mark="!" title={guest.lapsed} warn>
          {guest.lapsedText} <p class="acts">{bookAgainLink}</p>
        </Banner>
      )
    case "booked":
      return <Banner mark="✓" title={guest.booked}>{guest.bookedText}</Banner>
    case "running":
      return <Banner mark="✓" title={guest.running}>{guest.runningText}</Banner>
    case "over":
      return (
        <Banner mark="✓" title={guest.over}>
          {guest.overText}
          <p class="acts">
            {org.review_url !== null && (
              <a class="btn" href={org.review_url} rel="noopener noreferrer">{guest.review}</a>
            )}
            <a class="btn ghost" href={href(shown, `/book/${org.slug}`)}>{guest.another}</a>
          </p>
        </Banner>
      )
    case "cancelled":
      return (
        <Banner mark="×" title={guest.cancelled} warn>
          {booking.cancelled_at !== null && guest.cancelledAt(shown.format.momentWithZone(booking.cancelled_at))}{" "}
          {describeRefund(shown, page)}
          <p class="acts">
            <a class="btn ghost" href={href(shown, `/book/${org.slug}`)}>{guest.another}</a>
          </p>
        </Banner>
      )
  }
}

/** Returns a canceled booking's refund status, or an empty string if nothing was paid. */
export const describeRefund = (
  { format, text: { guest } }: OrgRenderContext,
  { booking, is_paid, online_cents }: GuestPageView
): string => {
  if (booking.refund !== null) return guest.refunds[booking.refund.status](format.money(booking.refund.cents))
  if (booking.status === "cancelled" && isMoneyWithheld(booking.dispute)) {
    return guest.disputed(format.money(online_cents))
  }
  return booking.status === "cancelled" && is_paid ? guest.kept(format.money(online_cents)) : ""
}

/** A hold's countdown. Without JavaScript, the countdown is hidden and the expiry time is shown instead. */
export const HoldCountdown = ({ page, shown }: { readonly shown: OrgRenderContext; readonly page: GuestPageView }) => (
  <span hidden role="timer">
    {shown.text.guest.left}: <span class="left" data-left={getRemainingHoldMs(page)} />
  </span>
)

const Banner = ({ children, mark, title, warn = false }: {
  readonly mark: string
  readonly title: string
  readonly warn?: boolean
  readonly children: preact.ComponentChildren
}) => (
  <section class={warn ? "banner warn" : "banner"} aria-label={title}>
    <span class="tick" aria-hidden="true">{mark}</span>
    <div class="stack tight">
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  </section>
)

/** The state of a booking as shown to the guest. */
export type BookingState = "toPay" | "toConfirm" | "held" | "lapsed" | "booked" | "running" | "over" | "cancelled"

export const getBookingState = ({ booking, email_due, now, payment_due }: GuestPageView): BookingState => {
  if (booking.status === "cancelled") return "cancelled"
  if (booking.status === "held") {
    if (booking.expires_at === null || booking.expires_at <= now) return "lapsed"
    if (payment_due) return "toPay"
    return email_due ? "toConfirm" : "held"
  }
  if (booking.ends_at <= now) return "over"
  return booking.starts_at <= now ? "running" : "booked"
}

/** Returns a hold's remaining time in milliseconds, according to the server's clock. */
export const getRemainingHoldMs = ({ booking, now }: GuestPageView): number =>
  booking.expires_at === null ? 0 : Math.max(0, Date.parse(booking.expires_at) - Date.parse(now))

/** Formats a time span, such as `Saturday, May 1, 2027, 9:00 AM – 1:00 PM MDT`, with the end date if it differs. */
export const formatDates = (
  { format }: OrgRenderContext,
  span: { readonly starts_at: string; readonly ends_at: string }
): string => `${format.longDay(span.starts_at)}, ${format.timesWithZone(span)}`

/** Formats a booking's duration, such as `4 hours`, `1 day`, `90 minutes`, or `3 × 1 day`. */
export const formatBookingDuration = (
  { format, text: { guest } }: OrgRenderContext,
  { offering, periods }: GuestPageView
): string => {
  const minutes = offering.duration_minutes
  const one = minutes % 1440 === 0
    ? guest.days(minutes / 1440)
    : minutes % 30 === 0
    ? guest.hours(format.number(minutes / 60))
    : guest.minutes(minutes)
  return periods === 1 ? one : guest.periods(format.number(periods), one)
}
