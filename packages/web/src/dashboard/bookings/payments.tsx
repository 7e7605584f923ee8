/** A booking's payments: its balance, its entries, and its desk payments. */
import { bookingsGet, type BookingView } from "@trailbook/core/booking"
import {
  type DeskMethod,
  deskMethods,
  type LedgerEntryView,
  paymentsRecord,
  paymentsRequest,
  paymentsVoid
} from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { ActionButton, Button, Card, FactList, Table } from "../kit/elements.tsx"
import { formPage } from "../kit/operationForm.tsx"
import { confirmPage, page, redirectTo, usePage } from "../kit/page.tsx"
import { bookingHead, formatPaymentState, isHoldExpired, isPaidOnline } from "./bookingText.tsx"
import { PriceLines } from "./ChangePage.tsx"

/** The card on the booking page. */
export const BookingPaymentsCard = ({ booking, entries }: {
  readonly booking: BookingView
  readonly entries: ReadonlyArray<LedgerEntryView>
}) => {
  const { clock, format, mayRefund, now } = usePage()
  const { checkout_url, dispute, due_cents, id, kept_cents, lines = [], owed_cents, payment_intent_id, refund } =
    booking
  const isRefundable = mayRefund && listRefundSources(entries).length > 0
  const isRequestable = booking.status === "confirmed" && due_cents > 0 && booking.customer.email !== ""
  return (
    <Card
      id="money"
      title="Payments"
      headerEnd={booking.status !== "cancelled" && due_cents > 0 && (
        <Button look="end" to={`/bookings/${id}/payments/new`}>Record payment</Button>
      )}
    >
      <FactList
        of={{
          Price: format.money(booking.total_cents),
          Status: formatPaymentState(format, booking),
          "You owe": owed_cents > 0 && <strong>{format.money(owed_cents)}</strong>,
          Kept: kept_cents !== null && kept_cents > 0 && format.money(kept_cents),
          Payment: payment_intent_id !== null && <code>{payment_intent_id}</code>,
          "Refund started": refund !== null && format.momentWithZone(refund.at),
          "Dispute opened": dispute !== null && format.momentWithZone(dispute.at),
          Online: checkout_url !== null && !isHoldExpired(booking, now) && !isPaidOnline(booking) && (
            <a href={checkout_url} rel="noopener noreferrer">Checkout page</a>
          )
        }}
      />
      {lines.length > 0 && <PriceLines lines={nameAdjustments(booking)} />}
      {entries.length > 0 && (
        <Table label="Payments and refunds" heads={["Entry", ["num", "Amount"]]}>
          {entries.map((entry) => {
            const { created_at, method, note, recorded_by, status } = entry
            const amount = format.money(toSignedCents(entry))
            const isToday = format.localDate(created_at) === format.localDate(Instant.format(clock.now))
            return (
              <tr key={entry.id}>
                <td>
                  <LedgerEntryText {...entry} />
                  <p class="soft small" dir="auto">
                    {[format.momentWithZone(created_at), recorded_by.name, note].filter(Boolean).join(" · ")}
                  </p>
                  {mayRefund && isToday && method !== "online" && status === "done" && (
                    <Button to={`/bookings/${id}/payments/${entry.id}/void`}>Void</Button>
                  )}
                </td>
                <td class="num">{status === "void" ? <s>{amount}</s> : amount}</td>
              </tr>
            )
          })}
        </Table>
      )}
      {(isRequestable || isRefundable) && (
        <div class="pad acts">
          {isRequestable && <ActionButton to={`/bookings/${id}/payment-requests`}>Request payment</ActionButton>}
          {isRefundable && <Button to={`/bookings/${id}/refunds/new`}>Refund</Button>}
        </div>
      )}
    </Card>
  )
}

/** Returns the price lines with the names of adjustments. Only `adjustments` has these names. */
const nameAdjustments = ({ adjustments = [], lines = [] }: BookingView) => {
  const names = adjustments.map(({ name }) => name)
  return lines.map((line) => line.kind === "adjustment" ? { ...line, name: names.shift() || line.name } : line)
}

/** An entry's kind, method, and status, such as `Refund, cash`. */
export const LedgerEntryText = ({ kind, method, status, test }: LedgerEntryView) => {
  const tag = statusTags[status]
  return (
    <p>
      {`${kind === "refund" ? "Refund" : "Payment"}, ${paymentMethodNames[method]} `}
      {tag !== undefined && <span class={tag[0]}>{tag[1]}</span>}
      {test && <span class="tag info">Test</span>}
    </p>
  )
}

/** Returns the amount of an entry, which is negative for a refund. */
export const toSignedCents = ({ amount_cents, kind }: Pick<LedgerEntryView, "amount_cents" | "kind">): number =>
  kind === "refund" ? -amount_cents : amount_cents

/** A way to return money, and how much can be returned that way. */
export interface RefundSource {
  /** `online` draws on all online payments, newest first. A single payment is identified by its ID. */
  readonly value: string
  readonly payment: LedgerEntryView | undefined
  readonly cents: number
  /** The method at the desk, or undefined if the money goes back through the payment provider. */
  readonly method: DeskMethod | undefined
}

/** Returns the ways to refund a booking's money. Online payments are listed newest first. */
export const listRefundSources = (entries: ReadonlyArray<LedgerEntryView>): ReadonlyArray<RefundSource> => {
  const onlineSources = entries.filter(({ kind, method, status }) =>
    kind === "payment" && method === "online" && status === "done"
  ).flatMap((payment): ReadonlyArray<RefundSource> => {
    const refunds = entries.filter(({ refund_of, status }) =>
      refund_of === payment.id && (status === "done" || status === "pending")
    )
    // Nothing can be refunded during a dispute, because the bank may return the entire payment.
    if (refunds.some(({ reason }) => reason === "dispute")) return []
    const cents = refunds.reduce((balance, { amount_cents }) => balance - amount_cents, payment.amount_cents)
    return cents > 0 ? [{ value: payment.id, payment, cents, method: undefined }] : []
  })
  const combinedSource = {
    value: "online",
    payment: onlineSources.length === 1 ? onlineSources[0]?.payment : undefined,
    cents: onlineSources.reduce((sum, { cents }) => sum + cents, 0),
    method: undefined
  }
  const deskCents = entries.filter(({ method, status }) => method !== "online" && status === "done")
    .reduce((sum, entry) => sum + toSignedCents(entry), 0)
  return [
    ...onlineSources.length > 0 ? [combinedSource] : [],
    ...onlineSources.length > 1 ? onlineSources : [],
    ...deskCents > 0
      ? deskMethods.map((method) => ({ value: method, payment: undefined, cents: deskCents, method }))
      : []
  ]
}

const paymentMethodNames = {
  online: "online",
  cash: "cash",
  card: "card",
  transfer: "bank transfer",
  voucher: "voucher",
  other: "other"
} as const

/** Returns a refund method's title, such as `Cash`. */
export const formatPaymentMethodTitle = (method: keyof typeof paymentMethodNames): string =>
  paymentMethodNames[method].charAt(0).toUpperCase() + paymentMethodNames[method].slice(1)

const statusTags = {
  pending: ["tag warn", "Pending"],
  done: undefined,
  failed: ["tag bad", "Failed"],
  void: ["tag", "Void"]
} as const

const fields = {
  amount_cents: "Amount",
  method: {
    label: "Method",
    options: deskMethods.map((method) => [method, formatPaymentMethodTitle(method)] as const)
  },
  note: { label: "Note", hint: "Visible only to your team." }
} as const

/** Records money that a guest paid at the desk. */
export const newPaymentPage = formPage("/bookings/:id/payments/new", paymentsRecord, {
  fields,
  *view(context) {
    const booking = yield* context.run(bookingsGet, { id: context.id })
    return {
      ...bookingHead(context, booking, "Record a payment"),
      backLabel: "Cancel",
      button: "Record payment",
      values: { amount_cents: booking.due_cents, method: "cash" }
    }
  },
  *submit({ id, run }, input) {
    yield* run(paymentsRecord, { ...input, id })
    return redirectTo(`/bookings/${id}`, "paymentRecorded")
  }
})

/** Emails the guest a link to pay the balance. */
export const requestPaymentPage = page("/bookings/:id/payment-requests", {
  submit: ({ id, run }) =>
    run(paymentsRequest, { id }).pipe(
      Effect.as(redirectTo(`/bookings/${id}`, "requested")),
      Effect.catchIf(
        ({ code }) => code === "resend_limited",
        () => Effect.succeed(redirectTo(`/bookings/${id}`, "requestedToday"))
      )
    )
})

export const voidPaymentPage = confirmPage("/bookings/:id/payments/:entry/void", {
  access: "refund",
  *view(context) {
    const booking = yield* context.run(bookingsGet, { id: context.id })
    return {
      ...bookingHead(context, booking, "Void this entry?"),
      backLabel: "Cancel",
      happens: [
        "The entry stays in the list but no longer counts toward the balance.",
        "Void an entry only if it was recorded by mistake. If the guest got money back, record a refund instead."
      ],
      button: "Void entry"
    }
  },
  *submit({ id, param, run }) {
    yield* run(paymentsVoid, { id: param("entry") })
    return redirectTo(`/bookings/${id}`, "entryVoided")
  }
})
