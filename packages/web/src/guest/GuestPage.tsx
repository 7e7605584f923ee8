import type { GuestPageView } from "@trailbook/core/operation"
import { encode } from "uqr"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import { Layout } from "../ui/Layout.tsx"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { FactRow, TripInfo } from "../ui/TripInfo.tsx"
import { BookingStatus, describeRefund, formatBookingDuration, formatDates, getBookingState } from "./BookingStatus.tsx"
import { MessageList, type UnsentMessage } from "./MessageList.tsx"

/** The completed action, shown as a one-time message. */
export type CompletedAction = "sent" | "asked" | "changed" | "paidNow" | "confirmed"

/**
 * Whether an action is about messages. If so, its notice is shown next to the message form, which the redirect scrolls
 * to.
 */
const isAboutMessages = (action: CompletedAction): action is "sent" | "asked" => action === "sent" || action === "asked"

/** Renders the guest's booking page. */
export const guestPage = (context: OrgRenderContext, page: GuestPageView, { done, formKey, mailed, unsent }: {
  /** The message form's idempotency key. */
  readonly formKey: string
  readonly done?: CompletedAction | undefined
  /** The secret from the mailed link that opened this page. */
  readonly mailed?: string | undefined
  readonly unsent?: UnsentMessage | undefined
}): Page => {
  const { text: { guest } } = context
  const { booking, offering, place } = page
  const pageUrl = (path: string) => href(context, `/b/${booking.handle}/${path}`)
  const map = place?.map ?? undefined
  const state = getBookingState(page)
  const isAhead = ["toPay", "toConfirm", "held", "booked"].includes(state)
  return {
    title: guest.title(offering.name),
    script: "guest",
    style: "guest",
    body: (
      <Layout shown={context}>
        {done !== undefined && !isAboutMessages(done) && <output class="note">{guest[done]}</output>}
        <BookingStatus shown={context} page={page} mailed={mailed} />
        {mailed !== undefined && !page.email_due && <span hidden data-mailed={pageUrl("mailed")} data-link={mailed} />}
        <div class="split sides">
          <article class="card pad stack">
            <div class="stack tight">
              <h1 dir="auto">{offering.name}</h1>
              <p>
                <time dateTime={booking.starts_at}>{context.format.longDay(booking.starts_at)}</time>
                <br />
                <span class="soft">{context.format.timesWithZone(booking)}</span>
              </p>
              {place !== null && <p class="soft" dir="auto">{place.words}</p>}
            </div>
            {offering.description !== "" && <p class="words" dir="auto">{offering.description}</p>}
            <TripInfo shown={context} info={offering.info} />
            <p class="acts">
              {isAhead && (
                <a class={state === "toPay" ? "btn ghost" : "btn"} href={pageUrl("calendar.ics")} download>
                  {guest.calendar}
                </a>
              )}
              {page.changes.may_move && <a class="btn ghost" href={pageUrl("move")}>{guest.change}</a>}
              {map !== undefined && <a class="btn ghost" href={map} rel="noopener noreferrer">{guest.map}</a>}
              {page.changes.may_cancel && state !== "lapsed" && (
                <a class="btn ghost" href={pageUrl("cancel")}>
                  {booking.paid_cents > 0
                    ? guest.cancelNow(context.format.money(page.changes.back_cents))
                    : guest.cancel}
                </a>
              )}
            </p>
            {["booked", "running"].includes(state) && !page.is_erased && (
              <CheckInCode shown={context} path={booking.check_in_url} />
            )}
            {isAhead && booking.status === "confirmed" && !page.is_erased && (
              <p class="soft small">{changesText(context, page)}</p>
            )}
            {page.changes.policy !== "" && booking.status !== "cancelled" && (
              <p class="soft small words" dir="auto">{page.changes.policy}</p>
            )}
          </article>
          <Summary shown={context} page={page} />
          <MessageList
            shown={context}
            page={page}
            formKey={formKey}
            unsent={unsent}
            done={done !== undefined && isAboutMessages(done) ? done : undefined}
          />
        </div>
      </Layout>
    )
  }
}

const changesText = (context: OrgRenderContext, { changes, org }: GuestPageView): string => {
  const { text: { guest } } = context
  if (changes.until === null) return guest.closedNever(org.name)
  const until = context.format.momentWithZone(changes.until)
  if (changes.may_cancel && !changes.may_move) return guest.openProven(until)
  return changes.may_cancel ? guest.openUntil(until) : guest.closedSince(org.name, until)
}

/** The booking's summary: quantity, location, contact details, and payment. */
const Summary = ({ page, shown }: { readonly shown: OrgRenderContext; readonly page: GuestPageView }) => {
  const { format, text: { book, frame, guest } } = shown
  const { booking, contact, offering, place } = page
  const refund = describeRefund(shown, page)
  const rows: ReadonlyArray<readonly [label: string, value: string]> = [
    [book.reference, booking.reference],
    [offering.kind === "rental" ? book.quantity.rental : book.quantity.class, format.number(booking.quantity)],
    [guest.howLong, formatBookingDuration(shown, page)],
    [frame.trip.where, place?.words ?? ""],
    [guest.name, contact?.name ?? ""],
    [book.email, contact?.email ?? ""],
    [book.phone, contact?.phone ?? ""],
    [guest.notes, booking.notes],
    [
      guest.before,
      booking.previous === undefined
        ? ""
        : formatDates(shown, booking.previous)
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
          <FactRow key={label} label={label} class="words" dir="auto">{value}</FactRow>
        ))}
        <FactRow label={book.total} total class="num">
          {booking.total_cents === 0 ? book.free : format.money(booking.total_cents)}
        </FactRow>
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

/** The booking's QR code as inline SVG. It is always dark on light, so that scanners can read it in dark mode. */
const CheckInCode = ({ path, shown }: { readonly shown: OrgRenderContext; readonly path: string }) => {
  const { site, text: { guest }, url } = shown
  const at = `/${path.slice(1)}` as const
  const { data, size } = encode(site.absolute(at) ?? new URL(site.link(at), url).href, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => isDark ? [`M${x} ${y}h1v1h-1z`] : []))
  return (
    <figure class="check-in-code" aria-label={guest.code}>
      <svg viewBox={`0 0 ${size} ${size}`} aria-hidden="true" shape-rendering="crispEdges">
        <path d={squares.join("")} />
      </svg>
      <figcaption class="soft small">{guest.showCode}</figcaption>
    </figure>
  )
}
