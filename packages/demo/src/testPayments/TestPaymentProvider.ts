/**
 * The demo's test payment provider. It has its own checkout page and moves no money. Only the demo's server uses it.
 */
import { Bookings } from "@trailbook/core/booking"
import { Checkouts, type Payments } from "@trailbook/core/payment"
import { TenantScope } from "@trailbook/core/port"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { Instant } from "@trailbook/core/time/Instant"
import type { AnyRoute } from "@trailbook/http/Route"
import { testPaymentRoutes } from "@trailbook/web/testPayments/routes"
import type { TestCheckoutView, TestPaymentsPort } from "@trailbook/web/testPayments/TestPaymentsPort"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeTestPayments, type PublicUrlHolder, toCheckoutView } from "./makeTestPayments.ts"
import {
  openTestPaymentFile,
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

/** @throws Failure if its file is invalid */
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

    const applyPayment = (session: TestCheckoutSession, { intent, isDisputed }: TestPayment, at: Instant) =>
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
  at: Instant,
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
