import type { GuestPageView } from "@trailbook/core/operation"
import { href } from "../ui/href.ts"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { Row } from "../ui/Row.tsx"
import { refundText } from "./BookingStatus.tsx"
import { dayText, lengthText, timesText } from "./guestPageModel.ts"

/** The booking's summary: quantity, location, contact details, and payment. */
export const Summary = ({ page, shown }: { readonly shown: OrgRenderContext; readonly page: GuestPageView }) => {
  const { format, text: { guest } } = shown
  const { booking, contact, offering, place } = page
  const refund = refundText(shown, page)
  const rows: ReadonlyArray<readonly [label: string, value: string]> = [
    [guest.reference, booking.reference],
    [offering.kind === "rental" ? guest.items : guest.guests, format.number(booking.quantity)],
    [guest.howLong, lengthText(shown, page)],
    [guest.where, place?.words ?? ""],
    [guest.name, contact?.name ?? ""],
    [guest.email, contact?.email ?? ""],
    [guest.phone, contact?.phone ?? ""],
    [guest.notes, booking.notes],
    [
      guest.before,
      booking.previous === undefined ? "" : `${dayText(shown, booking.previous)}, ${timesText(shown, booking.previous)}`
    ],
    [guest.payment, paymentOf(shown, page)],
    [guest.balance, booking.paid_cents > 0 && booking.due_cents > 0 ? format.money(booking.due_cents) : ""],
    [guest.refund, refund]
  ]
  return (
    <section class="card pad stack" aria-labelledby="summary-title">
      <h2 id="summary-title">{guest.summary}</h2>
      <dl class="sum">
        {rows.filter(([, value]) => value !== "").map(([label, value]) => (
          <Row key={label} label={label} class="words" dir="auto">{value}</Row>
        ))}
        <Row label={guest.total} total class="num">
          {booking.total_cents === 0 ? guest.free : format.money(booking.total_cents)}
        </Row>
      </dl>
      {page.pays_balance && (
        <form method="post" action={href(shown, `/b/${booking.handle}/pay`)}>
          <button class="btn">{guest.payBalance(format.money(booking.due_cents))}</button>
        </form>
      )}
    </section>
  )
}

const paymentOf = (
  { format, text: { guest } }: OrgRenderContext,
  { booking, is_paid, online_cents, payment_due }: GuestPageView
): string => {
  if (booking.paid_at !== null) {
    const paidText = guest.paidOn(format.longDay(booking.paid_at))
    return booking.due_cents > 0 ? `${paidText}: ${format.money(online_cents)}` : paidText
  }
  if (payment_due) return guest.notPaid
  return booking.total_cents === 0 || is_paid || booking.status === "cancelled" ? "" : guest.notOnline
}
