import type { BookingRecord } from "@trailbook/core/booking"
import type { Org } from "@trailbook/core/org/Org"
import {
  type Checkout,
  type PaymentNotification,
  type PaymentRequest,
  Payments,
  PaymentsFailed,
  type ProviderCheckout
} from "@trailbook/core/payment"
import { toChargeItems } from "@trailbook/core/pricing"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import type { TestCheckoutView } from "@trailbook/web/testPayments/TestPaymentsPort"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DemoPayments from "../DemoPayments.ts"
import type { TestCheckoutRequest, TestCheckoutSession, TestPaymentEvent, TestPaymentFile } from "./TestPaymentFile.ts"

/** Holds the public URL of the service, which is undefined until the server is listening. */
export interface PublicUrlHolder {
  publicUrl: string | undefined
}

/**
 * Implements the `Payments` service with the test checkouts. Every org in the demo is connected. Refunds for seeded
 * payments go to `DemoPayments`.
 */
export const makeTestPayments = (file: TestPaymentFile, address: PublicUrlHolder): Layer.Layer<Payments> =>
  Layer.effect(
    Payments,
    Effect.map(Effect.provide(Payments, DemoPayments.layer), (demoPayments) => {
      const findCheckout = (
        { session: name }: Checkout,
        change: (session: TestCheckoutSession, now: Instant.Instant) => void = () => {}
      ) =>
        Effect.flatMap(currentTime, (now) => {
          const state = file.find(name)
          if (state === undefined) return noCheckout
          change(state, now)
          return Effect.succeed(toFoundCheckout(file.find(name) ?? state, now, address))
        })

      return Payments.of({
        connected: () => Effect.succeed(testConnection),
        checkout: (payment, hold, org) =>
          Effect.flatMap(currentTime, (at) => {
            if (address.publicUrl === undefined) return notOpen
            const session = `till_${payment.id}`
            const request = toCheckoutRequest(payment, hold, org)
            const state = file.find(session)
            if (state === undefined) file.add({ type: "opened", at, session, asked: request })
            else if (!isSameRequest(state.asked, request)) return keyReused
            return Effect.succeed({ session, url: `${address.publicUrl}/till/${session}` })
          }),
        getCheckout: (checkout) => findCheckout(checkout),
        close: (checkout) =>
          findCheckout(checkout, (session, at) => {
            if (session.payments.length === 0 && !session.hasEnded) {
              file.add({ type: "ended", at, session: session.session, isNews: false })
            }
          }),
        refund: (payment, refund, hold, org) => {
          const { cents, id: refundId } = refund
          const { intent } = payment
          const session = file.withIntent(intent)
          return session === undefined
            ? demoPayments.refund(payment, refund, hold, org)
            : Effect.map(currentTime, (at) => {
              if (findRefunds(session, intent).every((existing) => existing.refundId !== refundId)) {
                file.add({ type: "returned", at, session: session.session, intent, refund: { refundId, cents } })
              }
              return { id: `test_refund_${refundId}`, status: "done" as const, reason: "" }
            })
        },
        refunds: ({ intent }) =>
          Effect.sync(() =>
            findRefunds(file.withIntent(intent), intent).map(({ cents, refundId }) => ({
              id: `test_refund_${refundId}`,
              refundId,
              status: "done" as const,
              cents,
              reason: ""
            }))
          ),
        since: ({ orgId }, from) =>
          Effect.sync(() => file.since(from).flatMap((event) => toNotifications(file, orgId, event)))
      })
    })
  )

/**
 * The provider and connection that the service stores with payments. The name makes it clear that no money was paid.
 */
const testConnection = { provider: "test_till", connection: "demo" }

const toCheckoutRequest = (
  request: PaymentRequest,
  { booking: { handle, price, reference } }: BookingRecord,
  org: Org
): TestCheckoutRequest => ({
  id: request.id,
  orgId: request.orgId,
  bookingId: request.bookingId,
  attempt: request.attempt,
  provider: request.provider,
  connection: request.connection,
  cents: request.cents,
  currency: request.currency,
  description: request.description,
  madeAt: request.madeAt,
  expiresAt: request.expiresAt,
  reference,
  handle,
  outfitter: org.name,
  timezone: org.timezone,
  items: toChargeItems(price?.lines ?? [], request)
})

/**
 * Compares the fields that a provider checks when an idempotency key is reused. The outfitter's name is not compared,
 * because it may change between requests.
 */
const isSameRequest = (one: TestCheckoutRequest, other: TestCheckoutRequest): boolean =>
  one.cents === other.cents && one.currency === other.currency && one.expiresAt === other.expiresAt &&
  one.description === other.description

const toFoundCheckout = (
  state: TestCheckoutSession,
  now: Instant.Instant,
  address: PublicUrlHolder
): ProviderCheckout => {
  const { asked, session, payments: [first] } = state
  if (first !== undefined) {
    const { cents, currency } = asked
    return { session, paymentId: asked.id, status: "paid", intent: first.intent, cents, currency }
  }
  return {
    session,
    paymentId: asked.id,
    status: toCheckoutView(state, now, address).status === "open" ? "open" : "expired"
  }
}

const findRefunds = (session: TestCheckoutSession | undefined, intent: string) =>
  session?.payments.find((payment) => payment.intent === intent)?.refunds ?? []

const toNotifications = (
  file: TestPaymentFile,
  orgId: string,
  event: TestPaymentEvent
): ReadonlyArray<PaymentNotification> => {
  const request = file.find(event.session)?.asked
  if (request?.orgId !== orgId) return []
  if (event.type === "disputed") {
    return [{ _tag: "Dispute", intent: event.intent, at: Instant.make(event.at), status: "open" }]
  }
  return event.type === "paid" || event.type === "ended"
    ? [{ _tag: "Checkout", session: event.session, paymentId: request.id }]
    : []
}

const noCheckout = new PaymentsFailed({ message: "The test checkout does not exist.", reason: "refused" })
const notOpen = new PaymentsFailed({ message: "The test checkout is not available until the server is listening." })
const keyReused = new PaymentsFailed({
  message: "This idempotency key was already used for a different test checkout request.",
  reason: "stale"
})

/** Converts a checkout to the view that its page shows. */
export const toCheckoutView = (
  { asked, hasEnded, session, payments }: TestCheckoutSession,
  now: Instant.Instant,
  { publicUrl = "" }: PublicUrlHolder
): TestCheckoutView => ({
  session,
  status: payments.length > 0 ? "paid" : hasEnded || asked.expiresAt <= now ? "ended" : "open",
  outfitter: asked.outfitter,
  timezone: asked.timezone,
  items: asked.items ?? [{ name: asked.description, quantity: 1, cents: asked.cents, details: "" }],
  reference: asked.reference,
  cents: asked.cents,
  currency: asked.currency,
  expiresAt: Instant.format(asked.expiresAt),
  money: payments,
  back: `${publicUrl}/b/${asked.handle}${payments.length > 0 ? "/paid" : ""}`
})
