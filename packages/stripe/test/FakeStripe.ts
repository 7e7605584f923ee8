/**
 * A fake Stripe API over HTTP with checkout sessions (create, retrieve, expire), refunds, events, the account, and
 * webhook endpoints. It stores every response, even an error, under its idempotency key and replays it. It rejects a
 * key that is reused with different parameters. It signs its webhooks.
 */
import * as Instant from "@trailbook/core/time/Instant"
import { FakeBank, type ProviderFault } from "@trailbook/testkit/provider/FakeBank"
import * as Effect from "effect/Effect"
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import {
  type BookedEvent,
  type BookedRefund,
  type BookedSession,
  ProviderState
} from "../../../test/payments/ProviderState.ts"

interface Answer {
  readonly status: number
  readonly body: object
}

const keys = ["sk_test_till", "sk_live_till"]
const noticeSecret = "whsec_till"

/** A server that listens until the scope closes. */
export const fakeStripe = Effect.acquireRelease(
  Effect.promise(async () => {
    const stripe = new FakeStripe()
    await stripe.listening
    return stripe
  }),
  (stripe) => Effect.promise(() => stripe.close())
)

export class FakeStripe {
  readonly #book = new ProviderState()
  /** The parameters of each checkout session. */
  readonly checkouts = new Map<string, URLSearchParams>()
  readonly #answered = new Map<string, { readonly request: string; readonly answer: Answer }>()
  /** Each webhook endpoint's subscribed events. Tests can replace an endpoint's list with an older one. */
  readonly endpoints = new Map<string, ReadonlyArray<string>>()
  #fault: ProviderFault | null = null
  /** Called when a request arrives, and again after the request is processed but before the response is sent. */
  watch: (moment: "come" | "done") => Promise<void> = () => Promise.resolve()
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly listening = new Promise<void>((resolve) => void this.#server.listen(0, "127.0.0.1", resolve))

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => void this.#server.close(() => resolve()))
  }

  readonly bank = FakeBank.of({
    now: Effect.sync(() => this.#book.now),
    advance: (minutes) => Effect.sync(() => this.#book.advance(minutes)),
    pay: (session) => Effect.sync(() => this.#book.pay(session)),
    // The state keeps amounts in Stripe's units.
    forge: ({ cents, currency, paymentId }) =>
      Effect.sync(() =>
        this.#book.open({
          paymentId,
          amount: cents / (byIso[currency] ?? 1),
          currency,
          expiresAt: Instant.addMinutes(this.#book.now, 60),
          isForged: true
        }).id
      ),
    dispute: (intent) => Effect.sync(() => this.#book.dispute(intent)),
    decide: (intent, outcome) => Effect.sync(() => this.#book.dispute(intent, outcome)),
    setRefundMode: (how) =>
      Effect.sync(() => {
        this.#book.refunding = how
      }),
    refuseCheckouts: (refuses) =>
      Effect.sync(() => {
        this.#book.refusesCheckouts = refuses
      }),
    endRefund: (intent, how) => Effect.sync(() => this.#book.endRefund(intent, how)),
    pendingRefunds: Effect.sync(() => this.#book.pendingRefunds),
    forgedRefundCount: Effect.sync(() => this.#book.forgedReturned),
    refundManually: (intent, cents) => Effect.sync(() => this.#book.refundManually(intent, cents)),
    fail: (fault) =>
      Effect.sync(() => {
        this.#fault = fault
      }),
    countCheckouts: (id) => Effect.sync(() => this.#book.made(id)),
    sessions: Effect.sync(() => this.#book.sessions.map(({ id }) => id)),
    // The state keeps amounts in Stripe's units.
    balance: (id) =>
      Effect.sync(() => {
        const currency = this.#book.sessions.find(({ paymentId }) => paymentId === id)?.currency ?? "usd"
        return this.#book.balance(id) * (byIso[currency] ?? 1)
      }),
    countRefunds: (id) => Effect.sync(() => this.#book.returned(id)),
    notices: this.#sent(({ at }) => at),
    resent: this.#sent(() => this.#book.now)
  })

  #sent(signedAt: (event: BookedEvent) => Instant.Instant) {
    return Effect.sync(() =>
      this.#book.events.map((event, at) => {
        const text = JSON.stringify(eventOf(event, at))
        const seconds = Math.floor(signedAt(event) / 1000)
        const sum = createHmac("sha256", noticeSecret).update(`${seconds}.${text}`).digest("hex")
        return { body: new TextEncoder().encode(text), signature: `t=${seconds},v1=${sum}` }
      })
    )
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    await this.watch("come")
    const fault = this.#fault
    this.#fault = null
    if (fault === "hangs") return
    if (fault === "cut off") return void request.socket.destroy()
    const answer = fault === "busy"
      ? failure(429, "Too many requests.", { code: "rate_limit" })
      : fault === "broken"
      ? failure(500, "Something went wrong before anything was done.")
      : this.#keyed(request, body, fault === "broken after")
    await this.watch("done")
    if (fault === "answer lost") return void request.socket.destroy()
    response.writeHead(answer.status, { "content-type": "application/json", "stripe-should-retry": "false" })
    response.end(JSON.stringify(answer.body))
  }

  #keyed(request: IncomingMessage, body: string, isBroken: boolean): Answer {
    if (!keys.some((key) => request.headers.authorization === `Bearer ${key}`)) {
      return failure(401, `Invalid API Key provided: ${request.headers.authorization?.slice(7)}`)
    }
    const { method = "GET", url = "/" } = request
    const idempotencyKey = request.headers["idempotency-key"]
    const requestText = `${method} ${url} ${body}`
    const act = () => this.#answer(method, new URL(url, "http://stripe.example"), new URLSearchParams(body))
    // The library generates a key for every POST request that has none. Other requests have no key.
    if (typeof idempotencyKey !== "string") return act()
    const previous = this.#answered.get(idempotencyKey)
    if (previous !== undefined) {
      return previous.request === requestText
        ? previous.answer
        : failure(400, "Keys for idempotent requests can only be used with the same parameters.", {
          type: "idempotency_error"
        })
    }
    const result = act()
    const answer = isBroken ? failure(500, "Something went wrong after it was done.") : result
    // Stripe stores the response to every request that it has processed, even a 400.
    this.#answered.set(idempotencyKey, { request: requestText, answer })
    return answer
  }

  #answer(method: string, url: URL, parameters: URLSearchParams): Answer {
    const [, , one, two, id, action] = url.pathname.split("/")
    switch (`${method} ${one}${two === "sessions" ? `/${two}` : ""}`) {
      case "GET account":
        return ok({ id: "acct_till", object: "account", settings: { dashboard: { display_name: "Test Till" } } })
      case "GET webhook_endpoints":
      case "POST webhook_endpoints":
        return this.#endpoint(two, method === "GET" ? undefined : parameters)
      case "DELETE webhook_endpoints":
        return failure(404, "No such webhook endpoint.", { code: "resource_missing" })
      case "POST checkout/sessions":
        return id === undefined
          ? this.#open(parameters)
          : action === "expire"
          ? this.#expire(id)
          : failure(404, "No such path.")
      case "GET checkout/sessions": {
        const session = this.#book.sessions.find((one) => one.id === id)
        return session === undefined ? failure(404, "No such checkout.session.") : ok(sessionOf(session))
      }
      case "POST refunds":
        return this.#refund(
          parameters.get("payment_intent") ?? "",
          parameters.get("amount"),
          parameters.get("metadata[refund]")
        )
      case "GET refunds": {
        const intent = url.searchParams.get("payment_intent")
        const all = this.#book.refunds.filter((one) => one.intent === intent).map((one) => this.#refundOf(one))
        return ok({ object: "list", url: "/v1/refunds", data: all.toReversed(), has_more: false })
      }
      case "GET events":
        return this.#events(url.searchParams)
      default:
        return failure(404, `Unrecognized request URL (${method}: ${url.pathname}).`)
    }
  }

  #endpoint(id: string | undefined, parameters: URLSearchParams | undefined): Answer {
    if (id !== undefined && !this.endpoints.has(id)) {
      return failure(404, "No such webhook endpoint.", { code: "resource_missing" })
    }
    const name = id ?? "we_till"
    if (parameters !== undefined) {
      this.endpoints.set(
        name,
        [...parameters].flatMap(([key, value]) => key.startsWith("enabled_events[") ? [value] : [])
      )
    }
    const secret = id === undefined ? { secret: noticeSecret } : {}
    return ok({ id: name, object: "webhook_endpoint", enabled_events: this.endpoints.get(name), ...secret })
  }

  #open(parameters: URLSearchParams): Answer {
    const expiresAt = Instant.make(Number(parameters.get("expires_at")) * 1000)
    const aheadMinutes = (expiresAt - this.#book.now) / 60_000
    if (!(aheadMinutes >= 30 && aheadMinutes <= 24 * 60)) {
      return failure(400, "The `expires_at` timestamp must be between 30 minutes and 24 hours from now.", {
        param: "expires_at"
      })
    }
    if (this.#book.refusesCheckouts) return failure(400, "Your account cannot currently make live charges.")
    const amounts = [...parameters].flatMap(([key, value]) => {
      const [, at] = /^line_items\[(\d+)\]\[price_data\]\[unit_amount\]$/.exec(key) ?? []
      return at === undefined ? [] : [[Number(value), Number(parameters.get(`line_items[${at}][quantity]`))] as const]
    })
    const amount = amounts.reduce((sum, [unit, quantity]) => sum + unit * quantity, 0)
    const currency = parameters.get("line_items[0][price_data][currency]") ?? ""
    const step = currency === "kwd" ? 10 : currency === "isk" || currency === "ugx" ? 100 : 1
    const isChargeable = amounts.every(([unit, quantity]) =>
      Number.isInteger(unit) && unit >= 0 && unit % step === 0 && Number.isInteger(quantity) && quantity >= 1
    )
    if (!isChargeable || amount < 1 || amounts.length > 100) {
      return failure(400, "Invalid amount.", { param: "line_items[0][price_data][unit_amount]" })
    }
    const paymentId = parameters.get("client_reference_id") ?? ""
    const session = this.#book.open({ paymentId, amount, currency, expiresAt })
    this.checkouts.set(session.id, parameters)
    return ok(sessionOf(session))
  }

  #expire(id: string): Answer {
    const session = this.#book.sessions.find((one) => one.id === id)
    if (session === undefined) return failure(404, "No such checkout.session.")
    if (session.status !== "open") {
      return failure(400, "Only Checkout Sessions with a status in [\"open\"] can be expired.")
    }
    this.#book.end(session)
    return ok(sessionOf(session))
  }

  #refund(intent: string, amount: string | null, refundId: string | null): Answer {
    const refund = this.#book.refund(intent, amount === null ? null : Number(amount), { refundId })
    return refund === null
      ? failure(400, "Charge has already been refunded.", { code: "charge_already_refunded" })
      : refund === "refused"
      ? failure(400, "Insufficient funds in your Stripe balance to refund this amount.", {
        code: "balance_insufficient"
      })
      : ok(this.#refundOf(refund))
  }

  #refundOf({ cents, id, intent, refundId, status }: BookedRefund) {
    return {
      id,
      object: "refund",
      amount: cents,
      currency: this.#book.sessions.find((session) => session.intent === intent)?.currency,
      payment_intent: intent,
      metadata: refundId === null ? {} : { refund: refundId },
      status: status === "done" ? "succeeded" : status,
      ...(status === "failed" ? { failure_reason: "lost_or_stolen_card" } : {})
    }
  }

  /** Lists three events per page, newest first, so that lists span several pages. */
  #events(parameters: URLSearchParams): Answer {
    const from = Number(parameters.get("created[gte]") ?? 0) * 1000
    const all = this.#book.events.map(eventOf).filter(({ created }) => created * 1000 >= from).toReversed()
    const after = parameters.get("starting_after")
    const rest = after === null ? all : all.slice(all.findIndex(({ id }) => id === after) + 1)
    return ok({ object: "list", url: "/v1/events", data: rest.slice(0, 3), has_more: rest.length > 3 })
  }
}

/** ISO 4217 minor units per Stripe unit. */
const byIso: Record<string, number> = { isk: 1 / 100, ugx: 1 / 100, mga: 100 }

const ok = (body: object): Answer => ({ status: 200, body })

const failure = (status: number, message: string, error: object = {}): Answer => ({
  status,
  body: { error: { type: status >= 500 ? "api_error" : "invalid_request_error", message, ...error } }
})

const sessionOf = ({ amount, currency, id, intent, paymentId, status }: BookedSession) => ({
  id,
  object: "checkout.session",
  amount_total: amount,
  client_reference_id: paymentId,
  currency,
  payment_intent: intent,
  payment_status: intent === null ? "unpaid" : "paid",
  status,
  url: status === "open" ? `https://checkout.stripe.example/${id}` : null
})

const eventOf = (event: BookedEvent, at: number) => ({
  id: `evt_${at}`,
  object: "event",
  created: Math.floor(event.at / 1000),
  ...("session" in event
    ? { type: `checkout.session.${event.type}`, data: { object: sessionOf(event.session) } }
    : { type: types[event.type], data: { object: objectOf(event) } })
})

const types = {
  disputed: "charge.dispute.created",
  won: "charge.dispute.closed",
  lost: "charge.dispute.closed",
  refunded: "charge.refunded",
  "refund updated": "refund.updated",
  "refund failed": "refund.failed"
} as const

const objectOf = ({ intent: payment_intent, type }: Exclude<BookedEvent, { readonly session: BookedSession }>) =>
  type === "won" || type === "lost" ? { payment_intent, status: type } : { payment_intent }

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}
