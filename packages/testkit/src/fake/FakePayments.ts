/**
 * A payment provider without a bank: it can be connected, remembers what was
 * asked of it, does one thing for one payment, and refuses or goes wrong when told
 * to.
 *
 * It promises that
 * - an org takes money online from the moment it is connected until it no longer
 *   is, and no other org does;
 * - one payment has one checkout, whose address stays, and goes back once, however
 *   often either is asked for, also at once;
 * - a checkout that was paid stays so, and one that was closed cannot be paid;
 * - what it refuses fails with `PaymentsFailed` and changes nothing, and works
 *   when it is asked for again later;
 * - what goes wrong on the way there is not done, and what goes wrong on the way
 *   back is done; either way it can be asked for again and is done once;
 * - all that happened is told of by `since`, whether a notice came or not.
 */
import { Payments, PaymentsFailed } from "@trailbook/core/payment/online/Payments"
import type { Checkout, PaymentRequest } from "@trailbook/core/payment/Payment"
import type { FoundCheckout, PaymentNotification } from "@trailbook/core/payment/PaymentProvider"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { BankFault } from "../provider/FakeBank.ts"

interface TillCheckout {
  readonly asked: PaymentRequest
  readonly url: string
  isClosed: boolean
  intent: string | null
}

export class FakePayments extends Context.Tag("@trailbook/testkit/FakePayments")<
  FakePayments,
  {
    /** From now on the org takes money online, or no longer does. */
    readonly connect: (orgId: string, connected: boolean) => Effect.Effect<void>
    /** From now on everything fails, or no longer does. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
    /** The next call goes wrong in this way, one that asks who is connected excepted. */
    readonly fail: (fault: BankFault) => Effect.Effect<void>
    /** The guest of a booking pays at its latest checkout: what the payment is called, or null where that cannot be paid. */
    readonly pay: (bookingId: string) => Effect.Effect<string | null>
    /** The guest's bank wants the money back. */
    readonly dispute: (intent: string) => Effect.Effect<void>
    /** What it gives notice of, the oldest first. Notices come twice, late and in any order: how is for the test to say. */
    readonly news: Effect.Effect<ReadonlyArray<PaymentNotification>>
    /** The latest addresses by booking. */
    readonly checkouts: Effect.Effect<ReadonlyMap<string, string>>
    /** Cents given back by booking, of each of its payments once. */
    readonly refunds: Effect.Effect<ReadonlyMap<string, number>>
  }
>() {
  static readonly layer: Layer.Layer<FakePayments | Payments> = Layer.effectContext(Effect.sync(() => {
    const connected = new Set<string>()
    const checkouts = new Map<string, TillCheckout>()
    const refunds = new Map<string, { readonly bookingId: string; readonly cents: number }>()
    const happened: Array<{ readonly at: Instant; readonly news: PaymentNotification }> = []
    /** Payments whose checkout broke after it was made: the fault is what their key answers from then on. */
    const forgotten = new Set<string>()
    let refuses = false
    let fault: BankFault | null = null
    const asked = <A>(
      act: (now: Instant) => A | PaymentsFailed,
      broken: () => PaymentsFailed = away
    ): Effect.Effect<A, PaymentsFailed> =>
      Effect.flatMap(currentTime, (now): Effect.Effect<A, PaymentsFailed> => {
        const how = fault
        fault = null
        if (refuses) return new PaymentsFailed({ message: "The till is closed.", reason: "refused" })
        if (how === "hangs") return Effect.never
        if (how === "broken" || how === "busy" || how === "cut off") return away()
        const answer = act(now)
        if (how === "broken after") return broken()
        if (how === "answer lost") return away()
        return answer instanceof PaymentsFailed ? answer : Effect.succeed(answer)
      })
    const tell = (at: Instant, news: PaymentNotification): void => void happened.push({ at, news })
    const found = ({ session }: Checkout, act: (checkout: TillCheckout, now: Instant) => void = () => {}) =>
      asked((now) => {
        const checkout = checkouts.get(session)
        if (checkout === undefined) return new PaymentsFailed({ message: `There is no checkout ${session}.` })
        act(checkout, now)
        return foundOf(session, checkout)
      })

    const till = FakePayments.of({
      connect: (orgId, isConnected) =>
        Effect.sync(() => {
          if (isConnected) connected.add(orgId)
          else connected.delete(orgId)
        }),
      refuse: (now) =>
        Effect.sync(() => {
          refuses = now
        }),
      fail: (next) =>
        Effect.sync(() => {
          fault = next
        }),
      pay: (bookingId) =>
        Effect.map(currentTime, (now) => {
          const [session, last] = [...checkouts].findLast(([, { asked }]) => asked.bookingId === bookingId) ?? []
          if (session === undefined || last === undefined || last.isClosed || last.intent !== null) return null
          tell(now, { _tag: "Checkout", session, paymentId: last.asked.id })
          return last.intent = `paid-${last.asked.id}`
        }),
      dispute: (intent) => Effect.map(currentTime, (at) => tell(at, { _tag: "Dispute", intent, at, status: "open" })),
      news: Effect.sync(() => happened.map(({ news }) => news)),
      checkouts: Effect.sync(() => new Map([...checkouts.values()].map(({ asked, url }) => [asked.bookingId, url]))),
      refunds: Effect.sync(() => {
        const cents = new Map<string, number>()
        for (const refund of refunds.values()) {
          cents.set(refund.bookingId, (cents.get(refund.bookingId) ?? 0) + refund.cents)
        }
        return cents
      })
    })
    const payments = Payments.of({
      connected: (orgId) => Effect.sync(() => connected.has(orgId) ? { provider: "till", connection: null } : null),
      checkout: (payment) => {
        const session = `session-${payment.id}`
        return asked(() => {
          if (forgotten.has(payment.id)) return stale()
          const checkout = checkouts.get(session) ??
            { asked: payment, url: `https://till.example/${payment.id}`, isClosed: false, intent: null }
          checkouts.set(session, checkout)
          return { session, url: checkout.url }
        }, () => {
          forgotten.add(payment.id)
          return stale()
        })
      },
      look: (checkout) => found(checkout),
      close: (checkout) =>
        found(checkout, (one, now) => {
          if (one.intent !== null || one.isClosed) return
          one.isClosed = true
          tell(now, { _tag: "Checkout", session: checkout.session, paymentId: one.asked.id })
        }),
      refund: ({ bookingId, cents, id }) =>
        asked(() => {
          refunds.set(id, { bookingId, cents })
          return { id: `refund-${id}`, status: "done" as const, reason: "" }
        }),
      refunds: ({ id }) =>
        asked(() => {
          const refund = refunds.get(id)
          return refund === undefined
            ? []
            : [{ id: `refund-${id}`, status: "done" as const, cents: refund.cents, reason: "" }]
        }),
      since: (_, from) => asked(() => happened.filter(({ at }) => at >= from).map(({ news }) => news))
    })
    return Context.make(FakePayments, till).pipe(Context.add(Payments, payments))
  }))
}

const foundOf = (session: string, { asked, intent, isClosed }: TillCheckout): FoundCheckout =>
  intent === null
    ? { session, paymentId: asked.id, status: isClosed ? "expired" : "open" }
    : { session, paymentId: asked.id, status: "paid", intent, cents: asked.cents, currency: asked.currency }

const away = () => new PaymentsFailed({ message: "The till did not answer." })
const stale = () => new PaymentsFailed({ message: "The till no longer takes this.", reason: "stale" })
