import { invalid } from "@trailbook/core"
import { bookingsGet, type BookingView } from "@trailbook/core/booking"
import { deskMethods, paymentsList, paymentsRefund } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { FieldGroup } from "../kit/elements.tsx"
import { Form, makeOperationForm } from "../kit/operationForm.tsx"
import { confirmPage, type PageContext, redirectTo, toConfirmationPage } from "../kit/page.tsx"
import { formatAmountInput } from "../parts/numberFields.ts"
import { bookingHead, describeGuestMail } from "./bookingText.tsx"
import { formatPaymentMethodTitle, listRefundSources, type RefundSource } from "./payments.tsx"

const refundForm = makeOperationForm(paymentsRefund, {
  amount_cents: "Amount",
  method: { label: "Refund to", isOwn: true },
  reduce_price: { label: "Reduce the price by this amount", hint: "Otherwise, the guest owes this amount again." },
  note: { label: "Reason", hint: "Visible only to your team." }
})

/**
 * Returns money to the guest. Staff can void a desk refund, so it is recorded immediately. If online payments can be
 * refunded, the page shows the consequences first.
 */
export const newRefundPage = confirmPage("/bookings/:id/refunds/new", {
  access: "refund",
  *view(context) {
    const { format } = context
    const { booking, sources } = yield* loadSources(context)
    const content = bookingHead(context, booking, "Refund")
    const onlineSource = sources.find(({ method }) => method === undefined)
    const deskSource = sources.find(({ method }) => method !== undefined)
    // A cancellation refunds online payments automatically, so only money paid at the desk is still owed.
    const source = booking.status === "cancelled" ? deskSource ?? onlineSource : onlineSource ?? deskSource
    if (source === undefined) {
      const reason = "This booking has no refundable payments. Disputed payments cannot be refunded."
      return { ...content, backLabel: "Back to the booking", reason }
    }
    const { owed_cents } = booking
    return {
      ...content,
      body: (
        <Form
          of={refundForm}
          values={{
            amount_cents: owed_cents > 0 ? Math.min(owed_cents, source.cents) : source.cents,
            reduce_price: booking.status === "confirmed" && owed_cents === 0
          }}
          own={{ method: source.value }}
          button={onlineSource === undefined ? "Record refund" : "Review refund"}
          back={`/bookings/${booking.id}`}
          backLabel="Cancel"
          hidden={{ do: onlineSource === undefined ? "refund" : undefined }}
        >
          {(fields, { error, typedValues }) => (
            <>
              {fields("amount_cents")}
              <FieldGroup id="method" class="stack tight" label="Refund to" error={error("method")}>
                {sources.map((source) => (
                  <label key={source.value} class="option">
                    <input
                      type="radio"
                      name="method"
                      value={source.value}
                      checked={source.value === typedValues["method"]}
                    />
                    <span>
                      <b>{sourceText(source, format)}</b>
                      {`, up to ${format.money(source.cents)}`}
                    </span>
                  </label>
                ))}
              </FieldGroup>
              {booking.status === "confirmed" && fields("reduce_price")}
              {fields("note")}
              {booking.cancellation_policy?.text !== undefined && (
                <p class="soft small" dir="auto">Your policy: {booking.cancellation_policy.text}</p>
              )}
            </>
          )}
        </Form>
      )
    }
  },
  *submit(context) {
    const { form, format, id, org, run } = context
    const input = yield* refundForm.read(context)
    const method = deskMethods.find((one) => one === form["method"])
    // If the response is lost, a staff member might submit the form again after the money can no longer be refunded.
    // The idempotency key identifies the original request.
    if (form["do"] !== "refund") {
      const { booking, sources } = yield* loadSources(context)
      const source = sources.find(({ value }) => value === form["method"])
      if (source === undefined) return yield* invalid("method: choose an online payment or a payment method")
      const { amount_cents: cents } = input
      if (cents > source.cents) {
        return yield* invalid(`amount_cents: must be at most ${formatAmountInput(source.cents, org.currency)}`)
      }
      if (sources[0]?.method === undefined) {
        return toConfirmationPage({
          ...bookingHead(context, booking, "Refund"),
          backLabel: "Cancel",
          happens: describeConsequences(context, booking, sources, {
            source,
            cents,
            isReduced: input.reduce_price === true
          }),
          button: method === undefined
            ? `Refund ${format.money(cents)} online`
            : `Record refund of ${format.money(cents)}`,
          hidden: { ...form, do: "refund" },
          isGrave: method === undefined
        })
      }
    }
    const target = method !== undefined
      ? { method }
      : form["method"] === "online"
      ? {}
      : { payment_id: form["method"] ?? "" }
    yield* run(paymentsRefund, { ...input, ...target, id })
    return redirectTo(`/bookings/${id}`, method === undefined ? "refundStarted" : "refundRecorded")
  }
})

const loadSources = ({ id, run }: PageContext) =>
  Effect.zipWith(
    run(bookingsGet, { id }),
    run(paymentsList, { booking_id: id, limit: 500 }),
    (booking, { data }) => ({ booking, sources: listRefundSources(data) })
  )

const sourceText = ({ method, payment }: RefundSource, format: PageContext["format"]): string =>
  method !== undefined
    ? `${formatPaymentMethodTitle(method)} at the desk`
    : payment === undefined
    ? "All online payments, newest first"
    : `Online payment from ${format.momentWithZone(payment.created_at)}`

const describeConsequences = (
  { format: { money }, format }: PageContext,
  { customer, owed_cents, paid_cents, status, total_cents }: BookingView,
  sources: ReadonlyArray<RefundSource>,
  { cents, isReduced, source }: {
    readonly source: RefundSource
    readonly cents: number
    readonly isReduced: boolean
  }
): ReadonlyArray<ComponentChildren> => {
  const isPriceReduced = isReduced && status === "confirmed"
  const price = isPriceReduced ? Math.max(0, total_cents - cents) : total_cents
  const paidCents = paid_cents - cents
  const owedCents = status === "cancelled" ? Math.max(0, owed_cents - cents) : Math.max(0, paidCents - price)
  let remainingCents = cents
  const refundTexts = (source.payment === undefined ? sources.filter(({ payment }) => payment !== undefined) : [source])
    .flatMap((one) => {
      const share = Math.min(remainingCents, one.cents)
      remainingCents -= share
      return share === 0
        ? []
        : [`${money(share)} is refunded through the payment provider: ${sourceText(one, format)}.`]
    })
  return [
    ...source.method === undefined
      ? refundTexts
      : [
        `A refund of ${money(cents)} is recorded: ${
          sourceText(source, format)
        }. Return the money to the guest yourself.`
      ],
    ...isPriceReduced ? [`The price is reduced from ${money(total_cents)} to ${money(price)}.`] : [],
    owedCents > 0
      ? `You still owe the guest ${money(owedCents)}.`
      : status !== "cancelled" && paidCents < price
      ? `The guest owes ${money(price - paidCents)}.`
      : "Nothing is due.",
    isPriceReduced
      ? describeGuestMail(customer, (name, email) => `${name} gets an email at ${email} about the new price.`)
      : "The guest gets no email."
  ]
}
