import type { GuestPageView } from "@trailbook/core/operation"
import { isWithheld } from "@trailbook/core/payment"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { cardPage } from "./Card.tsx"
import { dayText, timesText } from "./guestPageModel.ts"

/** Renders the confirmation page for a cancellation, with the refund amount. */
export const cancelPage = (shown: OrgRenderContext, page: GuestPageView): Page => {
  const { format, text: { guest: { stop } } } = shown
  const { booking, changes, is_paid, now, offering, online_cents } = page
  const { back_cents: back, refund_cents: refund } = changes
  const paid = format.money(booking.paid_cents)
  const money = refund > 0
    ? back === booking.paid_cents ? stop.refund(format.money(refund)) : stop.part(format.money(refund), paid)
    : isWithheld(booking.dispute)
    ? stop.disputed(format.money(online_cents))
    : booking.paid_cents > 0 && back === 0 && booking.starts_at > now
    ? stop.nothingBack(paid)
    : is_paid
    ? stop.kept(format.money(online_cents))
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
        <b>{back > refund && refund === 0 ? "" : money}</b> {back > refund && stop.desk(format.money(back - refund))}
      </p>
      {changes.policy !== "" && <p class="words soft" dir="auto">{changes.policy}</p>}
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
