/** Mollie behind the payments of an embedded Trailbook. */
import type { CheckoutState, Payments } from "trailbook"
import { type Amount, amountOf } from "./amount.ts"

export interface MollieOptions {
  readonly key: string
  /** Where guests come back to, by the handle of their booking. */
  readonly returnTo: (handle: string) => string
  /** Where Mollie says that something happened. */
  readonly webhookUrl: string
  /** Another place than Mollie's, for tests. */
  readonly api?: string
}

/** What is read of a payment of Mollie's. */
interface MolliePayment {
  readonly id: string
  readonly status: "open" | "pending" | "authorized" | "paid" | "canceled" | "expired" | "failed"
  readonly isCancelable?: boolean
  readonly amount: Amount
  /** What can still go back, once it was paid. */
  readonly amountRemaining?: Amount
  readonly metadata: { readonly booking: string } | null
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
    // It is kept with what is tried again, so it names nobody.
    if (!answer.ok) throw new Error(`Mollie answered ${answer.status}.`)
    return await answer.json() as A
  }
  const find = (id: string) => ask("GET", `/${encodeURIComponent(id)}`)

  const payments: Payments = {
    checkout: async (hold, _org, { cents, currency, id }) => {
      const made = await ask("POST", "", {
        amount: amountOf(cents, currency),
        description: `Booking ${hold.reference}`,
        redirectUrl: returnTo(hold.handle),
        webhookUrl,
        metadata: { booking: hold.id, payment: id }
      }, `checkout-${id}`)
      const url = made._links.checkout?.href
      if (url === undefined) throw new Error("Mollie made a payment without an address to pay at.")
      return { url, checkout: made.id }
    },
    look: async (checkout) => stateOf(await find(checkout)),
    close: async (checkout) => {
      const found = await find(checkout)
      // Some ways to pay cannot be ended. Who pays then is late, and gets the money back where the place is gone.
      return stateOf(found.isCancelable === true ? await ask("DELETE", `/${encodeURIComponent(checkout)}`) : found)
    },
    refund: async ({ payment_intent_id }, _org, { id }) => {
      const paid = await find(payment_intent_id ?? "")
      // Mollie forgets its keys, and people refund by hand. What has gone back has.
      if (paid.amountRemaining !== undefined && Number(paid.amountRemaining.value) === 0) return `already-${paid.id}`
      const refund = await ask<{ readonly id: string }>(
        "POST",
        `/${paid.id}/refunds`,
        { amount: paid.amountRemaining ?? paid.amount, metadata: { payment: id } },
        `refund-${id}`
      )
      return refund.id
    }
  }

  /** What to tell Trailbook of a payment; null while there is nothing, and where Mollie knows of no such payment. */
  const news = async (id: string) => {
    if (!/^tr_\w{1,40}$/.test(id)) return null
    const { metadata, status } = await find(id)
    return status === "paid" && metadata !== null ? { id: metadata.booking, payment_intent_id: id } : null
  }
  return { payments, news }
}

const stateOf = ({ id, status }: MolliePayment): CheckoutState => {
  switch (status) {
    case "paid":
      return { status, payment_intent_id: id }
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
