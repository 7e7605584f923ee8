import { bookingsGet, bookingsResend } from "@trailbook/core/booking/bookingOperations"
import type { BookingView } from "@trailbook/core/booking/BookingView"
import { conversationsList } from "@trailbook/core/conversation/conversationOperations"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { siteRoot } from "../../siteRoot.ts"
import { Field } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import { Card, Link } from "../kit/elements.tsx"
import type { DashboardContext, FormAction, PageView } from "../Page.ts"
import { sources } from "./BookingsPage.tsx"
import {
  guestName,
  isHoldExpired,
  isPaid,
  momentText,
  partyText,
  paymentText,
  StatusTag,
  timeRangeText
} from "./facts.tsx"

/** Details of a booking, with its actions. */
export const view: PageView = ({ clock: { stamp: now }, param, request, run, shown }) =>
  Effect.gen(function*() {
    const booking = yield* run(bookingsGet, { id: param("id") })
    const { data: [thread] } = yield* run(conversationsList, { customer_id: booking.customer_id, limit: 1 })
    const { format, site } = shown
    const path = `/dashboard/bookings/${booking.id}` as const
    const page = `${siteRoot(site, request) ?? ""}/b/${booking.handle}`
    const departure = `/dashboard/departures/${booking.session_id ?? booking.id}` as const
    return {
      title: guestName(booking.customer),
      part: "bookings",
      lead: (
        <>
          <code>{booking.reference}</code> <StatusTag booking={booking} now={now} />
        </>
      ),
      actions: <Actions booking={booking} now={now} path={path} shown={shown} />,
      body: (
        <div class="stack">
          <Standing booking={booking} now={now} shown={shown} />
          <Trouble booking={booking} shown={shown} />
          <div class="two">
            <Card id="trip" title="Booking" headerEnd={<a class="end" href={site.link(departure)}>Departure</a>}>
              <dl class="what pad">
                <Fact name="Activity">
                  <Link to={`/offerings/${booking.offering_id}`} dir="auto">
                    {booking.offering.name}
                  </Link>
                </Fact>
                <Fact name="When">{`${timeRangeText(format, booking)} ${format.zone(booking.ends_at)}`}</Fact>
                {booking.previous !== undefined && (
                  <Fact name="Moved from">
                    <s>{timeRangeText(format, booking.previous)}</s>
                  </Fact>
                )}
                <Fact name="Party">{partyText(format, booking.offering.kind, booking.quantity)}</Fact>
                <Fact name="Notes">
                  <span class="words" dir="auto">{booking.notes === "" ? "None" : booking.notes}</span>
                </Fact>
                <Fact name="Made">{`${momentText(format, booking.created_at)} by ${sources[booking.source]}`}</Fact>
                {booking.expires_at !== null && (
                  <Fact name={isHoldExpired(booking, now) ? "Hold expired" : "Held until"}>
                    {momentText(format, booking.expires_at)}
                  </Fact>
                )}
                {booking.cancelled_at !== null && (
                  <Fact name="Canceled">{momentText(format, booking.cancelled_at)}</Fact>
                )}
                <Kept booking={booking} />
              </dl>
            </Card>
            <div class="stack">
              <Card
                id="guest"
                title="Guest"
                headerEnd={<Link class="end" to={`/guests/${booking.customer_id}`}>Guest profile</Link>}
              >
                <dl class="what pad">
                  <Fact name="Name">
                    <span dir="auto">{guestName(booking.customer)}</span>
                  </Fact>
                  {booking.customer.email !== "" && (
                    <Fact name="Email">
                      <a href={`mailto:${encodeURIComponent(booking.customer.email)}`}>{booking.customer.email}</a>
                    </Fact>
                  )}
                  {booking.customer.phone !== "" && (
                    <Fact name="Phone">
                      <a href={`tel:${booking.customer.phone.replaceAll(/[^+\d]/g, "")}`}>{booking.customer.phone}</a>
                    </Fact>
                  )}
                  <Fact name="Messages">
                    {thread !== undefined
                      ? <Link to={`/inbox/${thread.id}`}>Open the conversation</Link>
                      : booking.customer.email === ""
                      ? "None: guest erased"
                      : <Link to={`/inbox/new?booking=${booking.id}`}>Message guest</Link>}
                  </Fact>
                </dl>
              </Card>
              <Money booking={booking} now={now} shown={shown} />
              <Card id="page" title="Guest booking page" pad="stack tight">
                <p>
                  <a href={site.link(`/b/${booking.handle}`)}>View as guest</a>
                </p>
                <Field
                  name="address"
                  label="Link to this booking"
                  hint="Anyone with this link can view and change the booking."
                  value={page}
                  input={{ readOnly: true, required: false, dir: "ltr" }}
                />
              </Card>
            </div>
          </div>
        </div>
      )
    }
  })

const Actions = ({ booking, now, path, shown: { site } }: {
  readonly booking: BookingView
  readonly now: string
  readonly path: `/${string}`
  readonly shown: DashboardContext
}) =>
  booking.status === "cancelled" ? null : (
    <>
      {booking.status === "held" && <a class="btn main" href={site.link(`${path}/confirm`)}>Confirm</a>}
      {booking.status === "confirmed" && booking.customer.email !== "" && (
        <form method="post" action={site.link(`${path}/resend`)} data-once="">
          <button class="btn">Resend confirmation</button>
        </form>
      )}
      {booking.ends_at > now && (
        <>
          <a class="btn" href={site.link(`${path}/move`)}>Move</a>
          <a class="btn bad" href={site.link(`${path}/cancel`)}>Cancel</a>
        </>
      )}
    </>
  )

/** The next required action. */
const Standing = ({ booking, now, shown: { format } }: {
  readonly booking: BookingView
  readonly now: string
  readonly shown: DashboardContext
}) => {
  const { expires_at } = booking
  if (booking.status !== "held" || expires_at === null) return null
  return isHoldExpired(booking, now)
    ? (
      <p class="note">
        This hold expired on {momentText(format, expires_at)}. You can still confirm it while seats are available.
      </p>
    )
    : (
      <p class="note">
        {`The place is held until ${
          momentText(format, expires_at)
        }. Confirm the booking before then, or the place is released.`}
      </p>
    )
}

/** Disputes and failed refunds, which a staff member must resolve. */
const Trouble = ({ booking: { dispute, refund, total_cents }, shown: { format } }: {
  readonly booking: BookingView
  readonly shown: DashboardContext
}) => (
  <>
    {dispute?.status === "open" && (
      <p class="note" role="alert">
        {`The guest's bank disputes the payment of ${format.money(total_cents)}. Respond at your payment provider. ` +
          "Canceling this booking does not refund it."}
      </p>
    )}
    {refund?.status === "refused" && (
      <p class="note" role="alert">
        {`The payment provider refused the refund of ${format.money(refund.cents)}. It is retried automatically. The ` +
          "reason is on the Failed jobs page."}
      </p>
    )}
  </>
)

const Money = ({ booking, now, shown: { format } }: {
  readonly booking: BookingView
  readonly now: string
  readonly shown: DashboardContext
}) => {
  const { checkout_url, dispute, paid_at, payment_intent_id, refund, total_cents } = booking
  const canPay = checkout_url !== null && !isHoldExpired(booking, now)
  return (
    <Card id="money" title="Money">
      <dl class="what pad">
        <Fact name="Price">{format.money(total_cents)}</Fact>
        <Fact name="Status">{paymentText(format, booking)}</Fact>
        {paid_at !== null && <Fact name="Paid">{momentText(format, paid_at)}</Fact>}
        {payment_intent_id !== null && (
          <Fact name="Payment">
            <code>{payment_intent_id}</code>
          </Fact>
        )}
        {refund !== null && <Fact name="Refund since">{momentText(format, refund.at)}</Fact>}
        {dispute !== null && <Fact name="Dispute since">{momentText(format, dispute.at)}</Fact>}
        {canPay && !isPaid(booking) && (
          <Fact name="Online">
            <a href={checkout_url} rel="noopener noreferrer">Checkout page</a>
          </Fact>
        )}
      </dl>
    </Card>
  )
}

const Kept = ({ booking: { metadata } }: { readonly booking: BookingView }) => (
  <>
    {Object.entries(metadata).map(([name, value]) => (
      <Fact key={name} name={name}>
        <span dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</span>
      </Fact>
    ))}
  </>
)

const Fact = ({ children, name }: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt dir="auto">{name}</dt>
    <dd>{children}</dd>
  </>
)

/** Sends the confirmation email again. */
export const act: FormAction = ({ param, run }) => {
  const path = `/dashboard/bookings/${param("id")}` as const
  return run(bookingsResend, { id: param("id") }).pipe(
    Effect.as(withFlash(path, "resent")),
    Effect.catchIf(({ code }) => code === "resend_limited", () => Effect.succeed(withFlash(path, "sentToday")))
  )
}
