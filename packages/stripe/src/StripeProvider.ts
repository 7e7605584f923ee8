/**
 * Takes payments with Stripe Checkout through Stripe's library.
 *
 * Requests have the idempotency key `checkout:<payment>` or `refund:<key>`, so a repeated request takes effect only
 * once. A webhook's signature is computed over its raw bytes. A webhook only identifies an object, so the provider
 * fetches it from Stripe.
 */
import {
  type CheckoutRequest,
  type PaymentNotification,
  PaymentProvider,
  PaymentsFailed,
  type ProviderCredentials,
  type ProviderRefund,
  type RefundOutcome,
  WebhookRejected
} from "@trailbook/core/payment"
import { currentTraceHeaders, type TraceHeaders } from "@trailbook/core/port"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type Stripe from "stripe"
import { buildCheckoutParameters } from "./buildCheckoutParameters.ts"
import { makeClients, type StripeOptions } from "./clients.ts"
import {
  classifyError,
  subscribedEventTypes,
  toCheckout,
  toPaymentNotification,
  toPaymentsFailed,
  toRefund
} from "./fromStripe.ts"
import { toStripeUnits } from "./toStripeUnits.ts"

export const make = (options: StripeOptions = {}): PaymentProvider["Type"] => {
  const findClient = makeClients(options)
  /** Calls Stripe with the trace headers of the current span. Fails with the Stripe library's error. */
  const request = <A>(access: ProviderCredentials, call: (stripe: Stripe, trace: Trace) => Promise<A>) =>
    Effect.flatMap(
      Effect.all([findClient(access), currentTraceHeaders]),
      ([stripe, headers]) => Effect.tryPromise({ try: () => call(stripe, { headers }), catch: (error) => error })
    ).pipe(Effect.withSpan("StripeProvider.request", { captureStackTrace: false, kind: "client" }))
  const callStripe = <A>(
    access: ProviderCredentials,
    call: (stripe: Stripe, trace: Trace) => Promise<A>,
    kind: "read" | "checkout" = "read"
  ) => Effect.mapError(request(access, call), (error) => toPaymentsFailed(error, kind))
  const retrieveSession = (access: ProviderCredentials, session: string) =>
    Effect.map(
      callStripe(access, (stripe, trace) => stripe.checkout.sessions.retrieve(session, {}, trace)),
      toCheckout
    )

  return PaymentProvider.of({
    name: "stripe",
    account: (access) =>
      Effect.map(callStripe(access, (stripe, trace) => stripe.accounts.retrieveCurrent({}, trace)), (account) => ({
        id: account.id,
        name: account.settings?.dashboard.display_name ?? account.business_profile?.name ?? account.id,
        mode: /^[rs]k_live_/.test(access.key) ? "live" : "test"
      })),
    watch: (access, url) =>
      Effect.flatMap(
        callStripe(access, (stripe, trace) =>
          stripe.webhookEndpoints.create(
            { url, enabled_events: [...subscribedEventTypes], description: "Trailbook" },
            trace
          )),
        ({ id, secret }) =>
          secret === undefined
            ? new PaymentsFailed({ message: "Stripe did not return a webhook signing secret." })
            : Effect.succeed({ id, noticeSecret: secret })
      ),
    rewatch: (access, id) =>
      Effect.gen(function*() {
        const { enabled_events: enabledTypes } = yield* callStripe(access, (stripe, trace) =>
          stripe.webhookEndpoints.retrieve(id, {}, trace))
        if (
          enabledTypes.includes("*") || subscribedEventTypes.every((type) =>
            enabledTypes.includes(type)
          )
        ) return
        yield* callStripe(access, (stripe, trace) =>
          stripe.webhookEndpoints.update(id, { enabled_events: [...subscribedEventTypes] }, trace))
      }),
    unwatch: (access, id) =>
      Effect.catchIf(
        Effect.asVoid(callStripe(access, (stripe, trace) => stripe.webhookEndpoints.del(id, {}, trace))),
        ({ reason }) => reason === "refused",
        () => Effect.void
      ),
    checkout: (access, request) =>
      Effect.gen(function*() {
        const parameters = yield* toParameters(request)
        const key = { idempotencyKey: `checkout:${request.id}` }
        const { id, url } = yield* callStripe(access, (stripe, trace) =>
          stripe.checkout.sessions.create(parameters, { ...key, ...trace }), "checkout")
        // Stripe replays its first response for the key, even if the session has changed since then. A closed session
        // has no URL.
        return url === null ? yield* new PaymentsFailed({ message: missingUrl, reason: "stale" }) : { session: id, url }
      }),
    getCheckout: retrieveSession,
    close: (access, session) =>
      request(access, (stripe, trace) => stripe.checkout.sessions.expire(session, {}, trace)).pipe(
        Effect.map(toCheckout),
        // The session has been paid or has expired, and only Stripe knows which.
        Effect.catchAll((error) =>
          classifyError(error)?.type === "StripeInvalidRequestError"
            ? retrieveSession(access, session)
            : toPaymentsFailed(error)
        )
      ),
    refund: (access, { cents, currency, intent, key, paymentId, refundId }) =>
      Effect.gen(function*() {
        const metadata = { payment: paymentId, ...(refundId === null ? {} : { refund: refundId }) }
        const parameters = { payment_intent: intent, metadata }
        const amountParameter = cents === null ? {} : { amount: yield* toStripeAmount(cents, currency) }
        return yield* request(access, (stripe, trace) =>
          stripe.refunds.create({ ...parameters, ...amountParameter }, { idempotencyKey: `refund:${key}`, ...trace }))
      }).pipe(
        Effect.map((refund): RefundOutcome =>
          toRefund(refund)
        ),
        Effect.catchAll((error) =>
          classifyError(error)?.code === "charge_already_refunded"
            ? Effect.succeed<RefundOutcome>({ id: `already:${intent}`, status: "done", reason: "" })
            : toPaymentsFailed(error, "refund")
        ),
        // Stripe replays a failed refund for the same key, so the next attempt needs a new key.
        Effect.filterOrFail(
          ({ status }) => status !== "failed",
          ({ reason }) =>
            new PaymentsFailed({ message: `Stripe could not process the refund: ${reason}`, reason: "declined" })
        )
      ),
    refunds: (access, intent) =>
      callStripe(access, async (stripe, trace) => {
        const refunds: Array<ProviderRefund> = []
        for await (const refund of stripe.refunds.list({ payment_intent: intent, limit: 100 }, trace)) {
          refunds.push(toRefund(refund))
        }
        return refunds.toReversed()
      }),
    since: (access, moment) =>
      callStripe(access, async (stripe, trace) => {
        const notifications: Array<PaymentNotification> = []
        const query = { types: [...subscribedEventTypes], created: { gte: Math.floor(moment / 1000) }, limit: 100 }
        // There can be any number of events, so read them page by page and keep only the references.
        for await (const event of stripe.events.list(query, trace)) {
          const notification = toPaymentNotification(event)
          if (notification !== null) notifications.push(notification)
        }
        // Stripe lists the newest events first.
        return notifications.toReversed()
      }),
    notice: (access, request) =>
      Effect.flatMap(
        findClient(access),
        (stripe) =>
          Effect.try({
            try: () => toPaymentNotification(verifyNotice(stripe, access, request)),
            catch: toWebhookRejected
          })
      )
  })
}

interface Trace {
  readonly headers: TraceHeaders
}

const missingUrl = "Stripe returned a checkout without a URL."

const toStripeAmount = (cents: number, currency: string) =>
  Effect.mapError(
    toStripeUnits(cents, currency),
    (message) => new PaymentsFailed({ message, reason: "refused" })
  )

const toParameters = (request: CheckoutRequest) =>
  Effect.map(toStripeAmount(request.cents, request.currency), (amount) => buildCheckoutParameters(request, amount))

const verifyNotice = (
  stripe: Stripe,
  { noticeSecret }: ProviderCredentials,
  { body, now, signature }: { readonly body: Uint8Array; readonly signature: string | null; readonly now: Instant }
): Stripe.Event => {
  const event = stripe.webhooks.constructEvent(
    // Invalid UTF-8 decodes to different text, so its signature does not match.
    new TextDecoder("utf8", { ignoreBOM: true }).decode(body),
    signature ?? "",
    noticeSecret ?? "",
    toleranceSeconds,
    undefined,
    now
  )
  // The library rejects only old timestamps. Without this check, a captured webhook with a future timestamp would stay
  // valid until that time.
  if (!(signedAtSeconds(signature ?? "") * 1000 <= now + toleranceSeconds * 1000)) throw new Error("In the future")
  return event
}

/**
 * Returns the latest timestamp in a signature header. Parses leniently, the way Stripe's library does: spaces and text
 * around the number are allowed.
 */
const signedAtSeconds = (header: string): number =>
  Math.max(
    ...header.split(",").map((item) => item.split("=")).filter(([name]) => name === "t")
      .map(([, value]) => Number.parseInt(value ?? "", 10))
  )

const toleranceSeconds = 300

const toWebhookRejected = () =>
  new WebhookRejected({
    message: "The signature does not match, or its timestamp differs from this server's clock by more than 5 minutes."
  })

export const layer = (options: StripeOptions = {}): Layer.Layer<PaymentProvider> =>
  Layer.sync(PaymentProvider, () => make(options))
