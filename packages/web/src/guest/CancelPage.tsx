import type { GuestPageView } from "@trailbook/core/operation"
import { isMoneyWithheld } from "@trailbook/core/payment"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { cardPage } from "./Card.tsx"
import { formatStartDate, formatTimesWithZone } from "./guestPageModel.ts"

/** Renders the confirmation page for a cancellation, with the refund amount. */
export const cancelPage = (context: OrgRenderContext, page: GuestPageView): Page => {
  const { format, text: { guest: { stop } } } = context
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
      <p class="soft">
        {formatStartDate(context, booking)}, {formatTimesWithZone(context, booking)}
      </p>
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
        <button class="btn danger">{stop.do}</button>
        <a class="btn ghost" href={href(context, `/b/${booking.handle}`)}>{stop.stay}</a>
      </form>
    </>
  )
}
