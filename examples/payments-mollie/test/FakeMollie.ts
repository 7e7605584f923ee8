/**
 * A local fake of Mollie. The response shapes follow Mollie's API v2 reference, with our own values
 * (docs.mollie.com/reference: create-payment, get-payment, cancel-payment, create-refund, handling-errors). They were
 * also compared with the stubs in the tests for Mollie's Node client (github.com/mollie/mollie-api-node,
 * tests/unit/__stubs__ and tests/communication).
 */
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { onTestFinished } from "vitest"

interface Amount {
  readonly currency: string
  readonly value: string
}

interface StoredPayment {
  readonly id: string
  readonly amount: Amount
  readonly description: string
  readonly metadata: unknown
  readonly redirectUrl: string
  readonly webhookUrl: string
  status: string
  isCancelable: boolean
}

export const fakeMollie = async () => {
  const payments: Array<StoredPayment> = []
  const refunds: Array<{ readonly id: string; readonly paymentId: string; readonly amount: Amount; status: string }> =
    []
  let refundsEnd: "refunded" | "pending" | "refused" = "refunded"
  const answersByKey = new Map<string, { readonly status: number; readonly body: object }>()
  let fault: "answer lost" | "broken" | "busy" | null = null

  const answer = (method: string, path: string, body: string): { readonly status: number; readonly body: object } => {
    const [, id, action] = path.split("/")
    if (method === "POST" && id === undefined) {
      const input: Omit<StoredPayment, "id" | "isCancelable" | "status"> = JSON.parse(body)
      if (!/^\d+(\.\d{2})?$/.test(input.amount.value)) {
        return failure(422, "The amount contains an invalid value", "amount")
      }
      const newPayment: StoredPayment = {
        ...input,
        id: `tr_${payments.length + 1}Fake`,
        status: "open",
        isCancelable: false
      }
      payments.push(newPayment)
      return { status: 201, body: shapeOf(newPayment, refunds) }
    }
    const payment = payments.find((one) => one.id === id)
    if (payment === undefined) return failure(404, `No payment exists with token ${id}.`)
    if (method === "GET" && action === "refunds") {
      const ownRefunds = refunds.filter(({ paymentId }) => paymentId === payment.id)
      return { status: 200, body: { count: ownRefunds.length, _embedded: { refunds: ownRefunds } } }
    }
    if (method === "GET") return { status: 200, body: shapeOf(payment, refunds) }
    if (method === "DELETE") {
      if (!payment.isCancelable) return failure(422, "The payment cannot be canceled")
      payment.status = "canceled"
      return { status: 200, body: shapeOf(payment, refunds) }
    }
    if (method === "POST" && action === "refunds") {
      const { amount, metadata }: { readonly amount: Amount; readonly metadata: unknown } = JSON.parse(body)
      if (payment.status !== "paid" || refunds.some(({ paymentId }) => paymentId === payment.id)) {
        return failure(422, "The specified amount cannot be refunded", "amount")
      }
      if (refundsEnd === "refused") return failure(422, "The balance is too low to refund this payment")
      const status: string = refundsEnd
      const refund = { id: `re_${refunds.length + 1}Fake`, paymentId: payment.id, amount, metadata, status }
      refunds.push(refund)
      return { status: 201, body: { resource: "refund", mode: "test", ...refund } }
    }
    return failure(404, "The resource does not exist")
  }

  const answerOnce = (request: IncomingMessage, body: string) => {
    if (request.headers.authorization !== "Bearer test_fake") {
      return failure(401, "Missing authentication, or failed to authenticate")
    }
    const { method = "", url = "" } = request
    const key = request.headers["idempotency-key"]
    const path = url.slice("/v2/payments".length)
    const earlier = typeof key === "string" ? answersByKey.get(key) : undefined
    if (earlier !== undefined) return earlier
    const result = answer(method, path, body)
    if (typeof key === "string") answersByKey.set(key, result)
    return result
  }

  const server = createServer(async (request, response) => {
    const body = await text(request)
    const how = fault
    fault = null
    const { body: shape, status } = how === "broken"
      ? failure(500, "Something went wrong")
      : how === "busy"
      ? failure(429, "Too many requests")
      : answerOnce(request, body)
    if (how === "answer lost") return void request.socket.destroy()
    response.writeHead(status, { "content-type": "application/hal+json" }).end(JSON.stringify(shape))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments,
    refunds,
    /** Pays as a guest at this URL. Has no effect if the payment has expired. */
    pay: (url: string | null) => {
      const payment = payments.find(({ id }) => url === addressOf(id))
      if (payment?.status !== "open") return null
      payment.status = "paid"
      return payment.id
    },
    fail: (next: NonNullable<typeof fault>) => {
      fault = next
    },
    /** Sets the result of subsequent refunds. A rejection is stored under its idempotency key. */
    refundsEnd: (how: typeof refundsEnd) => {
      refundsEnd = how
    },
    /** Deletes the idempotency keys. Mollie keeps each key for an hour. */
    forgetKeys: () => answersByKey.clear()
  }
}

const addressOf = (id: string): string => `https://www.mollie.com/checkout/select-method/${id.slice(3)}`

const shapeOf = (
  payment: StoredPayment,
  refunds: ReadonlyArray<{ readonly paymentId: string; readonly amount: Amount }>
) => {
  const isRefunded = refunds.some(({ paymentId }) => paymentId === payment.id)
  const zero = { ...payment.amount, value: payment.amount.value.replaceAll(/\d/g, "0").replace(/^0+(?=0)/, "") }
  return {
    resource: "payment",
    mode: "test",
    createdAt: "2027-05-01T12:00:00+00:00",
    ...payment,
    method: payment.status === "paid" ? "ideal" : null,
    profileId: "pfl_Fake",
    sequenceType: "oneoff",
    ...(payment.status === "paid"
      ? {
        paidAt: "2027-05-01T12:05:00+00:00",
        amountRefunded: isRefunded ? payment.amount : zero,
        amountRemaining: isRefunded ? zero : payment.amount
      }
      : { expiresAt: "2027-05-01T12:15:00+00:00" }),
    _links: {
      self: { href: `https://api.mollie.com/v2/payments/${payment.id}`, type: "application/hal+json" },
      ...(payment.status === "open" ? { checkout: { href: addressOf(payment.id), type: "text/html" } } : {})
    }
  }
}

const failure = (status: number, detail: string, field?: string) => ({
  status,
  body: { status, title: "Error", detail, ...(field === undefined ? {} : { field }) }
})
