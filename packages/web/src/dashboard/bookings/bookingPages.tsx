/** A booking: its details and next steps, and the pages to confirm, cancel, and restore it. */
import {
  bookingsCancel,
  bookingsConfirm,
  bookingsGet,
  bookingsResend,
  bookingsRestore,
  type BookingView,
  getRestoreDeadline
} from "@trailbook/core/booking"
import { conversationsList } from "@trailbook/core/conversation"
import { computeRefunds, isMoneyWithheld, type LedgerEntryView, paymentsList, sumCents } from "@trailbook/core/payment"
import { refundChoices } from "@trailbook/core/pricing"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { getSiteRoot } from "../../Site.ts"
import { PhoneLink } from "../../ui/TripInfo.tsx"
import { ActionButton, Button, Card, FactList, Field, Link } from "../kit/elements.tsx"
import { confirmPage, page, redirectTo, usePage } from "../kit/page.tsx"
import { ArrivalControls, isCheckInOpen } from "./attendance.tsx"
import {
  bookingHead,
  describeGuestMail,
  formatQuantity,
  getGuestName,
  isErased,
  isHoldExpired,
  isLiveBooking,
  isPaidOnline,
  StatusTag
} from "./bookingText.tsx"
import { BookingPaymentsCard, toSignedCents } from "./payments.tsx"

const sourceNames: Readonly<Record<BookingView["source"], string>> = {
  dashboard: "your team",
  api: "an API client",
  mcp: "an assistant",
  widget: "the guest"
}

interface Props {
  readonly booking: BookingView
}

export const bookingPage = page("/bookings/:id", {
  *view({ format, id, now, org, request, run, site }) {
    const booking = yield* run(bookingsGet, { id })
    const { cancelled_at, customer, dispute, expires_at, metadata, previous, refund } = booking
    const { data: entries } = yield* run(paymentsList, { booking_id: id })
    const { data: [thread] } = yield* run(conversationsList, { customer_id: booking.customer_id, limit: 1 })
    return {
      title: getGuestName(customer),
      lead: (
        <>
          <code>{booking.reference}</code> <StatusTag booking={booking} now={now} />
        </>
      ),
      actions: <Actions booking={booking} />,
      body: (
        <div class="stack">
          {booking.status === "held" && expires_at !== null && (
            <p class="note">
              {isHoldExpired(booking, now)
                ? `This hold expired on ${
                  format.momentWithZone(expires_at)
                }. You can still confirm the booking while seats are available.`
                : `The spot is held until ${
                  format.momentWithZone(expires_at)
                }. Confirm the booking before then, or the spot is released.`}
            </p>
          )}
          {dispute?.status === "open" && (
            <p class="note" role="alert">
              {`The payment of ${
                format.money(booking.total_cents)
              } is disputed. Respond through your payment provider. ` +
                "Canceling this booking does not refund the payment."}
            </p>
          )}
          {refund?.status === "refused" && (
            <p class="note" role="alert">
              {`The payment provider refused the refund of ${
                format.money(refund.cents)
              }. It will be retried automatically. See the Failed jobs page for the reason.`}
            </p>
          )}
          {booking.status === "confirmed" && isCheckInOpen(booking, now, org.timezone) && (
            <Card id="attendance" title="Check-in" pad="stack">
              <ArrivalControls booking={booking} />
            </Card>
          )}
          <div class="two">
            <Card
              id="trip"
              title="Booking"
              headerEnd={<Link class="end" to={`/departures/${booking.session_id ?? booking.id}`}>Departure</Link>}
            >
              <FactList
                of={{
                  Activity: <Link to={`/offerings/${booking.offering_id}`} dir="auto">{booking.offering.name}</Link>,
                  When: `${format.timeRange(booking)} ${format.zone(booking.ends_at)}`,
                  "Moved from": previous !== undefined && <s>{format.timeRange(previous)}</s>,
                  Party: formatQuantity(format, booking.offering.kind, booking.quantity),
                  Notes: <span class="words" dir="auto">{booking.notes === "" ? "None" : booking.notes}</span>,
                  "Staff notes": booking.staff_notes !== "" && (
                    <span class="words" dir="auto">{booking.staff_notes}</span>
                  ),
                  Created: `${format.momentWithZone(booking.created_at)} by ${sourceNames[booking.source]}`,
                  [isHoldExpired(booking, now) ? "Hold expired" : "Held until"]: expires_at !== null &&
                    format.momentWithZone(expires_at),
                  Canceled: cancelled_at !== null && format.momentWithZone(cancelled_at)
                }}
                more={Object.entries(metadata).map(([name, value]) => [
                  name,
                  <span dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</span>
                ])}
              />
            </Card>
            <div class="stack">
              <Card
                id="guest"
                title="Guest"
                headerEnd={<Link class="end" to={`/guests/${booking.customer_id}`}>Guest profile</Link>}
              >
                <FactList
                  of={{
                    Name: <span dir="auto">{getGuestName(customer)}</span>,
                    Email: customer.email !== "" && (
                      <a href={`mailto:${encodeURIComponent(customer.email)}`}>{customer.email}</a>
                    ),
                    Phone: customer.phone !== "" && <PhoneLink phone={customer.phone} />,
                    Messages: thread !== undefined
                      ? <Link to={`/inbox/${thread.id}`}>Open conversation</Link>
                      : isErased(customer)
                      ? "None (guest erased)"
                      : <Link to={`/inbox/new?booking=${booking.id}`}>Message guest</Link>
                  }}
                />
              </Card>
              <BookingPaymentsCard booking={booking} entries={entries} />
              <Card id="page" title="Guest booking page" pad="stack tight">
                <p>
                  <a href={site.link(`/b/${booking.handle}`)}>View as guest</a>
                </p>
                <Field
                  name="address"
                  label="Link to this booking"
                  hint="Anyone with this link can view and change the booking."
                  value={`${getSiteRoot(site, request) ?? ""}/b/${booking.handle}`}
                  input={{ readOnly: true, required: false, dir: "ltr" }}
                />
              </Card>
            </div>
          </div>
        </div>
      )
    }
  }
})

const Actions = ({ booking }: Props) => {
  const { now } = usePage()
  const { checkout_url, customer, ends_at, id, status } = booking
  // A hold with a checkout must be confirmed before it can be changed.
  const canChange = status === "confirmed" || isLiveBooking(booking, now) && checkout_url === null
  if (status === "cancelled") {
    return isRestorable(booking, now) ? <Button to={`/bookings/${id}/restore`}>Restore</Button> : null
  }
  return (
    <>
      {status === "held" && <Button look="main" to={`/bookings/${id}/confirm`}>Confirm</Button>}
      {status === "confirmed" && customer.email !== "" && (
        <ActionButton to={`/bookings/${id}/resend`}>Resend confirmation</ActionButton>
      )}
      {canChange && <Button to={`/bookings/${id}/change`}>Change</Button>}
      {ends_at > now && (
        <>
          <Button to={`/bookings/${id}/move`}>Move</Button>
          <Button look="bad" to={`/bookings/${id}/cancel`}>Cancel</Button>
        </>
      )}
    </>
  )
}

/**
 * Whether a booking can be restored. It must have been canceled in the last 24 hours, it must not have started yet, and
 * its guest must not have been erased.
 */
const isRestorable = ({ cancelled_at, customer, starts_at }: BookingView, now: string): boolean =>
  cancelled_at !== null && !isErased(customer) && starts_at > now &&
  Date.parse(now) <= getRestoreDeadline(Instant.make(Date.parse(cancelled_at)))

/** Sends the confirmation email again. */
export const resendEmailPage = page("/bookings/:id/resend", {
  submit: ({ id, run }) =>
    run(bookingsResend, { id }).pipe(
      Effect.as(redirectTo(`/bookings/${id}`, "resent")),
      Effect.catchIf(
        ({ code }) => code === "resend_limited",
        () => Effect.succeed(redirectTo(`/bookings/${id}`, "sentToday"))
      )
    )
})

const backToBooking = "Back to the booking"

export const confirmBookingPage = confirmPage("/bookings/:id/confirm", {
  *view(context) {
    const { format, id, now, run } = context
    const booking = yield* run(bookingsGet, { id })
    const { checkout_url, customer, expires_at, offering, quantity, status, total_cents } = booking
    const head = bookingHead(context, booking, "Confirm this booking?")
    if (status !== "held") {
      const reason = status === "confirmed" ? "This booking is already confirmed." : "This booking is canceled."
      return { ...head, backLabel: backToBooking, reason }
    }
    const party = formatQuantity(format, offering.kind, quantity)
    return {
      ...head,
      happens: [
        isPaidOnline(booking) || total_cents === 0
          ? "No payment is due."
          : `${
            format.money(total_cents)
          } is due. Confirming does not charge the guest, so collect the payment yourself.`,
        ...checkout_url === null || isPaidOnline(booking)
          ? []
          : ["The guest no longer needs to pay online to keep the spot."],
        isHoldExpired(booking, now)
          ? `The hold expired${
            expires_at === null ? "" : ` on ${format.momentWithZone(expires_at)}`
          }, so the booking can be confirmed only if there is still room for ${party}.`
          : `Space for ${party} is reserved.`,
        describeGuestMail(customer, (name, email) => `${name} receives the confirmation at ${email}.`)
      ],
      button: "Confirm booking",
      isGrave: false,
      backLabel: "Keep hold"
    }
  },
  submit: ({ id, run }) => Effect.as(run(bookingsConfirm, { id }), redirectTo(`/bookings/${id}`, "confirmed"))
})

export const restoreBookingPage = confirmPage("/bookings/:id/restore", {
  *view(context) {
    const { format, id, now, run } = context
    const booking = yield* run(bookingsGet, { id })
    const { customer, offering, paid_cents, quantity, total_cents } = booking
    const head = bookingHead(context, booking, "Restore this booking?")
    if (!isRestorable(booking, now)) {
      const reason = booking.status === "cancelled"
        ? "A booking can be restored within 24 hours of its cancellation and before its start."
        : "This booking is not canceled."
      return { ...head, backLabel: backToBooking, reason }
    }
    return {
      ...head,
      happens: [
        `The booking is confirmed again if there is still room for ${formatQuantity(format, offering.kind, quantity)}.`,
        total_cents > paid_cents
          ? `${format.money(total_cents - paid_cents)} is due. Refunded amounts are not charged again.`
          : "No payment is due.",
        describeGuestMail(customer, (name, email) => `${name} receives the confirmation at ${email}.`)
      ],
      button: "Restore booking",
      isGrave: false,
      backLabel: "Keep booking canceled"
    }
  },
  submit: ({ id, run }) => Effect.as(run(bookingsRestore, { id }), redirectTo(`/bookings/${id}`, "confirmed"))
})

export const cancelBookingPage = confirmPage("/bookings/:id/cancel", {
  *view(context) {
    const { format, id, now, run } = context
    const booking = yield* run(bookingsGet, { id })
    const { customer, offering, quantity } = booking
    const head = bookingHead(context, booking, "Cancel this booking?")
    if (booking.status === "cancelled") {
      return { ...head, backLabel: backToBooking, reason: "This booking is already canceled." }
    }
    const { data: entries } = yield* run(paymentsList, { booking_id: id, method: "online", limit: 500 })
    const onlineCents = entries.filter(({ status }) => status === "done").reduce(
      (sum, one) => sum + toSignedCents(one),
      0
    )
    const refundCents = sumCents(computeRefunds(booking, entries, "full", Instant.make(Date.parse(now))).refunds)
    return {
      ...head,
      happens: [
        "You can restore the booking within 24 hours if there is still room.",
        isHoldExpired(booking, now) || booking.starts_at <= now
          ? "No seats become available."
          : `Space for ${formatQuantity(format, offering.kind, quantity)} becomes available immediately.`,
        booking.cancellation_policy !== undefined && booking.paid_cents > 0
          ? "Online payments are refunded through the payment provider."
          : refundCents > 0
          ? `The online payment of ${format.money(refundCents)} will be refunded in full.`
          : isPaidOnline(booking) && isMoneyWithheld(booking.dispute)
          ? `The payment of ${
            format.money(onlineCents)
          } is disputed, so it is not refunded. A refund could pay the guest twice. The guest's bank decides. Respond to ` +
            "the dispute through your payment provider before you cancel."
          : isPaidOnline(booking)
          ? `There is no automatic refund because the trip has started. ${format.money(onlineCents)} was paid online.`
          : "Nothing was paid online, so there is no refund.",
        describeGuestMail(customer, (name, email) => `${name} gets an email at ${email} immediately.`)
      ],
      children: booking.paid_cents > 0 && <RefundChoices booking={booking} entries={entries} />,
      button: "Cancel booking",
      backLabel: "Keep booking"
    }
  },
  submit: ({ form, id, run }) =>
    Effect.as(
      run(bookingsCancel, { id, refund: refundChoices.find((one) => one === form["refund"]) ?? "full" }),
      redirectTo(`/bookings/${id}`, "cancelled")
    )
})

const refundLabels = {
  policy: "Under the cancellation policy",
  full: "Full refund before the start",
  none: "No refund"
}

/** The refund options, with the current amounts. */
const RefundChoices = (
  { booking, entries }: Props & { readonly entries: ReadonlyArray<LedgerEntryView> }
) => {
  const { form, format, mayRefund, now } = usePage()
  const choices = refundChoices.filter((one) =>
    one === "none" ? mayRefund : one === "full" || booking.cancellation_policy !== undefined
  ).toReversed()
  const selectedChoice = form["refund"] ?? (booking.cancellation_policy === undefined ? "full" : "policy")
  return (
    <fieldset class="stack tight">
      <legend class="label">Refund</legend>
      {choices.map((choice) => {
        const { backCents, refunds } = computeRefunds(booking, entries, choice, Instant.make(Date.parse(now)))
        const deskCents = backCents - sumCents(refunds)
        return (
          <label key={choice} class="option">
            <input type="radio" name="refund" value={choice} checked={choice === selectedChoice} />
            <span>
              <b>{refundLabels[choice]}</b>: {format.money(backCents)} refunded,{" "}
              {format.money(booking.paid_cents - backCents)} kept.
              {deskCents > 0 &&
                ` Refund ${format.money(deskCents)} of this amount to the guest yourself, then record it.`}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
