/**
 * A fake payment provider with no bank behind it. It can be connected and disconnected, records requests, is idempotent
 * per payment, and fails on demand.
 *
 * Guarantees:
 * - An org accepts online payments while it is connected. Other orgs are not affected.
 * - A payment has one checkout with a stable URL, and each of its refunds is made once, even if requests are repeated
 *   or concurrent.
 * - A paid checkout stays paid, and a closed checkout cannot be paid.
 * - A refused call fails with `PaymentsFailed`, changes nothing, and works when repeated later.
 * - A fault before a call prevents its effect, and a fault after a call does not. Either way, the call can be repeated
 *   and takes effect once.
 * - `since` returns everything that happened, whether or not a notification arrived.
 */
import {
  type Checkout,
  type PaymentNotification,
  type PaymentRequest,
  Payments,
  PaymentsFailed,
  type ProviderCheckout
} from "@trailbook/core/payment"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ProviderFault } from "../provider/FakeBank.ts"

interface FakeCheckout {
  readonly request: PaymentRequest
  readonly url: string
  isClosed: boolean
  intent: string | null
}

export class FakePayments extends Context.Tag("@trailbook/testkit/FakePayments")<
  FakePayments,
  {
    /** Connects the org to online payments, or disconnects it. */
    readonly connect: (orgId: string, connected: boolean) => Effect.Effect<void>
    /** Makes every call fail, or lets calls succeed again. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
    /** Injects this fault into the next call, not counting calls that read the connection. */
    readonly fail: (fault: ProviderFault) => Effect.Effect<void>
    /**
     * Pays the latest checkout for a booking, as the guest would. Returns the payment intent, or null if the checkout
     * cannot be paid.
     */
    readonly pay: (bookingId: string) => Effect.Effect<string | null>
    /** Opens a dispute for a payment. */
    readonly dispute: (intent: string) => Effect.Effect<void>
    /** The notifications, oldest first. The test itself duplicates, delays, or reorders them. */
    readonly news: Effect.Effect<ReadonlyArray<PaymentNotification>>
    /** The latest checkout URL for each booking. */
    readonly checkouts: Effect.Effect<ReadonlyMap<string, string>>
    /** The refunded cents for each booking. Each refund counts once. */
    readonly refunds: Effect.Effect<ReadonlyMap<string, number>>
  }
>() {
  static readonly layer: Layer.Layer<FakePayments | Payments> = Layer.effectContext(Effect.sync(() => {
    const connectedOrgs = new Set<string>()
    const checkouts = new Map<string, FakeCheckout>()
    const refunds = new Map<
      string,
      { readonly bookingId: string; readonly paymentId: string; readonly cents: number }
    >()
    const notifications: Array<{ readonly at: Instant; readonly news: PaymentNotification }> = []
    /**
     * Payments whose checkout call failed after creating the checkout. From then on, requests with the payment's key
     * return the same failure.
     */
    const stalePayments = new Set<string>()
    let refuses = false
    let fault: ProviderFault | null = null
    const callProvider = <A>(
      act: (now: Instant) => A | PaymentsFailed,
      makeFailure: () => PaymentsFailed = makeUnavailable
    ): Effect.Effect<A, PaymentsFailed> =>
      Effect.flatMap(currentTime, (now): Effect.Effect<A, PaymentsFailed> => {
        const currentFault = fault
        fault = null
        if (refuses) return new PaymentsFailed({ message: "The payment account is closed.", reason: "refused" })
        if (currentFault === "hangs") return Effect.never
        if (currentFault === "broken" || currentFault === "busy" || currentFault === "cut off") return makeUnavailable()
        const result = act(now)
        if (currentFault === "broken after") return makeFailure()
        if (currentFault === "answer lost") return makeUnavailable()
        return result instanceof PaymentsFailed ? result : Effect.succeed(result)
      })
    const notify = (at: Instant, news: PaymentNotification): void => void notifications.push({ at, news })
    const withCheckout = ({ session }: Checkout, act: (checkout: FakeCheckout, now: Instant) => void = () => {}) =>
      callProvider((now) => {
        const checkout = checkouts.get(session)
        if (checkout === undefined) return new PaymentsFailed({ message: `The checkout ${session} does not exist.` })
        act(checkout, now)
        return toFoundCheckout(session, checkout)
      })

    const fakePayments = FakePayments.of({
      connect: (orgId, isConnected) =>
        Effect.sync(() => {
          if (isConnected) connectedOrgs.add(orgId)
          else connectedOrgs.delete(orgId)
        }),
      refuse: (isRefusing) =>
        Effect.sync(() => {
          refuses = isRefusing
        }),
      fail: (nextFault) =>
        Effect.sync(() => {
          fault = nextFault
        }),
      pay: (bookingId) =>
        Effect.map(currentTime, (now) => {
          const [session, last] = [...checkouts].findLast(([, { request }]) => request.bookingId === bookingId) ?? []
          if (session === undefined || last === undefined || last.isClosed || last.intent !== null) return null
          notify(now, { _tag: "Checkout", session, paymentId: last.request.id })
          return last.intent = `paid-${last.request.id}`
        }),
      dispute: (intent) => Effect.map(currentTime, (at) => notify(at, { _tag: "Dispute", intent, at, status: "open" })),
      news: Effect.sync(() => notifications.map(({ news }) => news)),
      checkouts: Effect.sync(() =>
        new Map([...checkouts.values()].map(({ request, url }) => [request.bookingId, url]))
      ),
      refunds: Effect.sync(() => {
        const cents = new Map<string, number>()
        for (const refund of refunds.values()) {
          cents.set(refund.bookingId, (cents.get(refund.bookingId) ?? 0) + refund.cents)
        }
        return cents
      })
    })
    const payments = Payments.of({
      connected: (orgId) => Effect.sync(() => connectedOrgs.has(orgId) ? { provider: "till", connection: null } : null),
      checkout: (payment) => {
        const session = `session-${payment.id}`
        return callProvider(() => {
          if (stalePayments.has(payment.id)) return makeStale()
          const checkout = checkouts.get(session) ??
            { request: payment, url: `https://till.example/${payment.id}`, isClosed: false, intent: null }
          checkouts.set(session, checkout)
          return { session, url: checkout.url }
        }, () => {
          stalePayments.add(payment.id)
          return makeStale()
        })
      },
      getCheckout: (checkout) => withCheckout(checkout),
      close: (checkout) =>
        withCheckout(checkout, (openCheckout, now) => {
          if (openCheckout.intent !== null || openCheckout.isClosed) return
          openCheckout.isClosed = true
          notify(now, { _tag: "Checkout", session: checkout.session, paymentId: openCheckout.request.id })
        }),
      refund: ({ bookingId, id: paymentId }, { cents, id }) =>
        callProvider(() => {
          refunds.set(id, { bookingId, paymentId, cents })
          return { id: `refund-${id}`, status: "done" as const, reason: "" }
        }),
      refunds: ({ id: paymentId }) =>
        callProvider(() =>
          [...refunds].flatMap(([refundId, { cents, ...refund }]) =>
            refund.paymentId !== paymentId
              ? []
              : [{ id: `refund-${refundId}`, refundId, status: "done" as const, cents, reason: "" }]
          )
        ),
      since: (_, from) => callProvider(() => notifications.filter(({ at }) => at >= from).map(({ news }) => news))
    })
    return Context.make(FakePayments, fakePayments).pipe(Context.add(Payments, payments))
  }))
}

const toFoundCheckout = (session: string, { request, intent, isClosed }: FakeCheckout): ProviderCheckout =>
  intent === null
    ? { session, paymentId: request.id, status: isClosed ? "expired" : "open" }
    : { session, paymentId: request.id, status: "paid", intent, cents: request.cents, currency: request.currency }

const makeUnavailable = () => new PaymentsFailed({ message: "The payment service did not respond." })
const makeStale = () => new PaymentsFailed({ message: "This checkout no longer accepts payments.", reason: "stale" })
