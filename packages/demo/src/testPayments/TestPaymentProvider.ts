/**
 * The demo's test payment provider. It has its own checkout page and moves no money. Only the demo's server uses it.
 */
import { type BookingRecord, Bookings } from "@trailbook/core/booking"
import type { Org } from "@trailbook/core/org/Org"
import {
  type Checkout,
  Checkouts,
  type PaymentNotification,
  type PaymentRequest,
  Payments,
  PaymentsFailed,
  type ProviderCheckout
} from "@trailbook/core/payment"
import { TenantScope } from "@trailbook/core/port"
import { toChargeItems } from "@trailbook/core/pricing"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import type { AnyRoute } from "@trailbook/http/Route"
import { testPaymentRoutes } from "@trailbook/web/testPayments/routes"
import type { TestCheckoutView, TestPaymentsPort } from "@trailbook/web/testPayments/TestPaymentsPort"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DemoPayments from "../DemoPayments.ts"
import {
  openTestPaymentFile,
  type TestCheckoutRequest,
  type TestCheckoutSession,
  type TestPayment,
  type TestPaymentEvent,
  type TestPaymentFile
} from "./TestPaymentFile.ts"

export interface TestPaymentProvider {
  readonly payments: Layer.Layer<Payments>
  /** The routes for the checkout page. Building the routes first reports all unreported events to the service. */
  readonly routes: Effect.Effect<ReadonlyArray<AnyRoute>, never, Bookings | Checkouts>
  /** Sets the public URL once the server is listening. No checkout can be opened before that. */
  readonly openAt: (publicUrl: string) => void
}

/** @throws OperatorError if its file is invalid */
export const make = (path: string): TestPaymentProvider => {
  const file = openTestPaymentFile(path)
  const address: PublicUrlHolder = { publicUrl: undefined }
  return {
    payments: makeTestPayments(file, address),
    routes: Effect.gen(function*() {
      const notify = yield* makeNotify(file)
      yield* Effect.forEach(file.all(), notify, { discard: true })
      return testPaymentRoutes(makePort(file, address, notify))
    }),
    openAt: (publicUrl) => {
      address.publicUrl = publicUrl
    }
  }
}

type NotifyPaid = (session: TestCheckoutSession | undefined) => Effect.Effect<void>

/** Reports unreported events to the service. An event can be reported more than once. */
const makeNotify = (file: TestPaymentFile): Effect.Effect<NotifyPaid, never, Bookings | Checkouts> =>
  Effect.gen(function*() {
    const bookings = yield* Bookings
    const checkouts = yield* Checkouts

    const applyCheckout = ({ asked, session }: TestCheckoutSession) =>
      checkouts.apply(asked, { _tag: "Checkout", session, paymentId: asked.id })

    const applyPayment = (session: TestCheckoutSession, { intent, isDisputed }: TestPayment, at: Instant.Instant) =>
      Effect.gen(function*() {
        const { asked, payments: [first] } = session
        // Report a checkout's second payment with its own intent, as real providers do.
        if (intent === first?.intent) yield* applyCheckout(session)
        else {
          const { bookingId: id, cents, currency, id: paymentId, orgId } = asked
          yield* bookings.pay({ orgId, id }, intent, { paymentId, cents, currency })
        }
        if (isDisputed) yield* checkouts.apply(asked, { _tag: "Dispute", intent, at, status: "open" })
      })

    const notify = (session: TestCheckoutSession) =>
      Effect.gen(function*() {
        const at = yield* currentTime
        const recordNotified = (intent: string | null) =>
          Effect.sync(() => file.add({ type: "told", at, session: session.session, intent }))
        if (session.isNews) yield* Effect.zipRight(applyCheckout(session), recordNotified(null))
        for (const payment of session.payments.filter(({ isNews }) => isNews)) {
          yield* Effect.zipRight(applyPayment(session, payment, at), recordNotified(payment.intent))
        }
      }).pipe(
        Effect.provideService(TenantScope, [session.asked.orgId]),
        Effect.catchAll(({ message }) =>
          Effect.annotateLogs(Effect.logWarning("Could not report a test payment, retrying at the next start"), {
            booking: session.asked.bookingId,
            why: message
          })
        )
      )

    return (session) => session === undefined ? Effect.void : notify(session)
  })

const makePort = (file: TestPaymentFile, address: PublicUrlHolder, notify: NotifyPaid): TestPaymentsPort => ({
  find: (name) =>
    Effect.map(currentTime, (now) => {
      const session = file.find(name)
      return session === undefined ? null : toCheckoutView(session, now, address)
    }),
  act: (name, action) =>
    Effect.flatMap(currentTime, (at) => {
      // This code is synchronous up to the append, so a double click pays only once.
      const session = file.find(name)
      const event = session === undefined
        ? undefined
        : toEvent(session, action, at, toCheckoutView(session, at, address).status)
      if (event === undefined) return Effect.succeed(false)
      file.add(event)
      return Effect.as(notify(file.find(name)), true)
    })
})

const toEvent = (
  { asked, session, payments }: TestCheckoutSession,
  action: Parameters<TestPaymentsPort["act"]>[1],
  at: Instant.Instant,
  status: TestCheckoutView["status"]
): TestPaymentEvent | undefined => {
  if (action === "dispute") {
    const payment = payments.find(({ isDisputed, isReturned }) => !isDisputed && !isReturned)
    return payment === undefined ? undefined : { type: "disputed", at, session, intent: payment.intent }
  }
  if (status !== requiredStatus[action]) return undefined
  return action === "end"
    ? { type: "ended", at, session, isNews: true }
    : { type: "paid", at, session, intent: `test_no_money_${asked.id}_${payments.length + 1}` }
}

/** The checkout status that each action requires. */
const requiredStatus = { pay: "open", end: "open", again: "paid", late: "ended" } as const

/** Holds the public URL of the service, which is undefined until the server is listening. */
interface PublicUrlHolder {
  publicUrl: string | undefined
}

/**
 * Implements the `Payments` service with the test checkouts. Every org in the demo is connected. Refunds for seeded
 * payments go to `DemoPayments`.
 */
const makeTestPayments = (file: TestPaymentFile, address: PublicUrlHolder): Layer.Layer<Payments> =>
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
const toCheckoutView = (
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
