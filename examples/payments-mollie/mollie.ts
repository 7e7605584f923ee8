/** Implements payments with Mollie for an embedded Trailbook. */
import type { CheckoutState, PaidAmount, Payments, RefundState } from "trailbook"
import { type Amount, amountOf, centsOf } from "./amount.ts"

export interface MollieOptions {
  readonly key: string
  /** Returns the URL that guests return to. `handle` identifies their booking. */
  readonly returnTo: (handle: string) => string
  /** The URL that Mollie notifies. */
  readonly webhookUrl: string
  /** The API's base URL, which tests override. */
  readonly api?: string
}

/** An error for a request that Mollie processed and rejected, with Mollie's reason. */
class MollieRefusal extends Error {}

interface MollieRefund {
  readonly id: string
  readonly status: "queued" | "pending" | "processing" | "refunded" | "failed" | "canceled"
  readonly metadata?: { readonly refund?: string } | null
}

/** The fields read from a Mollie payment. */
interface MolliePayment {
  readonly id: string
  readonly status: "open" | "pending" | "authorized" | "paid" | "canceled" | "expired" | "failed"
  readonly isCancelable?: boolean
  readonly amount: Amount
  /** The amount that can still be refunded. */
  readonly amountRemaining?: Amount
  readonly metadata: { readonly booking?: string; readonly payment?: string } | null
  readonly _links: { readonly checkout?: { readonly href: string } }
}

export const mollie = ({ api = "https://api.mollie.com", key, returnTo, webhookUrl }: MollieOptions) => {
  const ask = async <A = MolliePayment>(method: string, path: string, body?: object, idempotencyKey?: string) => {
    const answer = await fetch(new URL(`/v2/payments${path}`, api), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
      },
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    // The text is stored with the task, so it contains no guest data.
    if (answer.status === 422) throw new MollieRefusal(`Mollie: ${(await answer.json() as { detail: string }).detail}.`)
    if (!answer.ok) throw new Error(`Mollie answered ${answer.status}.`)
    return await answer.json() as A
  }
  const find = (id: string) => ask("GET", `/${encodeURIComponent(id)}`)

  const payments: Payments = {
    checkout: async (hold, _org, { cents, currency, id }) => {
      const payment = await ask("POST", "", {
        amount: amountOf(cents, currency),
        description: `Booking ${hold.reference}`,
        redirectUrl: returnTo(hold.handle),
        webhookUrl,
        metadata: { booking: hold.id, payment: id }
      }, `checkout-${id}`)
      const url = payment._links.checkout?.href
      if (url === undefined) throw new Error("Mollie returned a payment without a checkout URL.")
      return { url, checkout: payment.id }
    },
    look: async (checkout) => stateOf(await find(checkout)),
    close: async (checkout) => {
      const payment = await find(checkout)
      // Some payment methods cannot be canceled. A guest who pays anyway is late, and gets a refund if the seat has
      // been sold.
      return stateOf(payment.isCancelable === true ? await ask("DELETE", `/${encodeURIComponent(checkout)}`) : payment)
    },
    refund: async ({ payment_intent_id }, _org, { cents, currency, id, refund_key }): Promise<RefundState> => {
      const payment = await find(payment_intent_id ?? "")
      const { _embedded: { refunds } } = await ask<{ readonly _embedded: { readonly refunds: Array<MollieRefund> } }>(
        "GET",
        `/${payment.id}/refunds`
      )
      // Mollie's idempotency keys expire, so an earlier request is found by its metadata.
      const earlier = refunds.find(({ metadata }) => metadata?.refund === refund_key)
      if (earlier !== undefined) return { status: isOnItsWay(earlier) ? "pending" : "done", id: earlier.id }
      // Refunds can also be made by hand, so a payment with nothing left to refund has already been refunded.
      if (payment.amountRemaining !== undefined && Number(payment.amountRemaining.value) === 0) {
        return { status: refunds.some(isOnItsWay) ? "pending" : "done", id: refunds[0]?.id }
      }
      try {
        const refund = await ask<MollieRefund>(
          "POST",
          `/${payment.id}/refunds`,
          { amount: amountOf(cents, currency), metadata: { payment: id, refund: refund_key } },
          `refund-${refund_key}`
        )
        return { status: isOnItsWay(refund) ? "pending" : "done", id: refund.id }
      } catch (error) {
        // After any other error, the refund may have been sent, so keep the key.
        if (error instanceof MollieRefusal) return { status: "refused", reason: error.message }
        throw error
      }
    }
  }

  /** Returns the payment event for Trailbook. Returns null if no event exists or Mollie does not know the payment. */
  const news = async (id: string) => {
    if (!/^tr_\w{1,40}$/.test(id)) return null
    const payment = await find(id)
    const booking = payment.metadata?.booking
    return payment.status === "paid" && booking !== undefined
      ? { id: booking, payment_intent_id: id, ...paidAmount(payment) }
      : null
  }
  return { payments, news }
}

/** Returns the paid amount, which Trailbook compares with the requested amount. */
const paidAmount = ({ amount, metadata }: MolliePayment): PaidAmount => ({
  payment_id: metadata?.payment,
  cents: centsOf(amount),
  currency: amount.currency
})

const isOnItsWay = ({ status }: MollieRefund): boolean =>
  status === "queued" || status === "pending" || status === "processing"

const stateOf = (payment: MolliePayment): CheckoutState => {
  const { id, status } = payment
  switch (status) {
    case "paid":
      return { status, payment_intent_id: id, ...paidAmount(payment) }
    case "open":
    case "pending":
    case "authorized":
      return { status: "open" }
    case "canceled":
    case "expired":
    case "failed":
      return { status: "expired" }
  }
}
