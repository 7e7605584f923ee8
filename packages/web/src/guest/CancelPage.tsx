import type { GuestPageView } from "@trailbook/core/operation/GuestView"
import { isWithheld } from "@trailbook/core/payment/Payment"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { cardPage } from "./Card.tsx"
import { dayText, timesText } from "./guestPageModel.ts"

/** Confirmation page for a cancellation, with the refund amount. */
export const cancelPage = (shown: OrgRenderContext, page: GuestPageView): Page => {
  const { format, text: { guest: { stop } } } = shown
  const { booking, changes, is_paid, offering } = page
  const money = changes.refund_cents > 0
    ? stop.refund(format.money(changes.refund_cents))
    : isWithheld(booking.dispute)
    ? stop.disputed(format.money(booking.total_cents))
    : is_paid
    ? stop.kept(format.money(booking.total_cents))
    : stop.nothing
  const heading = (
    <div class="stack tight">
      <h1>{stop.title}</h1>
      <p dir="auto">{offering.name}</p>
      <p class="soft">
        {dayText(shown, booking)}, {timesText(shown, booking)}
      </p>
    </div>
  )
  return cardPage(
    shown,
    { title: stop.title, script: "guest", heading },
    <>
      <p>
        <b>{money}</b>
      </p>
      <p>
        {stop.consequence} {stop.mail}
      </p>
      <form class="acts" method="post" action={href(shown, `/b/${booking.handle}/cancel`)} data-once="">
        <button class="btn danger">{stop.do}</button>
        <a class="btn ghost" href={href(shown, `/b/${booking.handle}`)}>{stop.stay}</a>
      </form>
    </>
  )
}
