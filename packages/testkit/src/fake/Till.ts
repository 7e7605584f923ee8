/**
 * A payment provider without a bank: it can be connected, remembers what was
 * asked of it, does one thing for one payment, and refuses when told to.
 *
 * It promises that
 * - an org takes money online from the moment it is connected until it no longer
 *   is, and no other org does;
 * - one payment has one checkout, whose address stays, and goes back once, however
 *   often either is asked for, also at once;
 * - a checkout that was paid stays so, and one that was closed cannot be paid;
 * - what it refuses fails with `PaymentsFailed` and changes nothing, and works
 *   when it is asked for again later.
 */
import { Payments, PaymentsFailed } from "@trailbook/core/booking/Payments"
import type { Asked, Checkout } from "@trailbook/core/payment/Payment"
import type { FoundCheckout } from "@trailbook/core/payment/PaymentProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

interface TillCheckout {
  readonly asked: Asked
  readonly url: string
  isClosed: boolean
  intent: string | null
}

/**
 * @category services
 */
export class Till extends Context.Tag("@trailbook/testkit/Till")<
  Till,
  {
    /** From now on the org takes money online, or no longer does. */
    readonly connect: (orgId: string, connected: boolean) => Effect.Effect<void>
    /** From now on everything fails, or no longer does. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
    /** The guest of a booking pays at its latest checkout: what the payment is called, or null where that cannot be paid. */
    readonly pay: (bookingId: string) => Effect.Effect<string | null>
    /** The latest addresses by booking. */
    readonly checkouts: Effect.Effect<ReadonlyMap<string, string>>
    /** Cents given back by booking, of each of its payments once. */
    readonly refunds: Effect.Effect<ReadonlyMap<string, number>>
  }
>() {
  static readonly layer: Layer.Layer<Till | Payments> = Layer.effectContext(Effect.sync(() => {
    const connected = new Set<string>()
    const checkouts = new Map<string, TillCheckout>()
    const refunds = new Map<string, { readonly bookingId: string; readonly cents: number }>()
    let refuses = false
    const asked = <A>(answer: () => A) =>
      Effect.suspend(() =>
        refuses
          ? new PaymentsFailed({ message: "The till is closed.", reason: "refused" })
          : Effect.succeed(answer())
      )
    const found = ({ session }: Checkout, act: (checkout: TillCheckout) => void = () => {}) =>
      Effect.flatMap(
        asked(() => checkouts.get(session)),
        (checkout) => {
          if (checkout === undefined) return new PaymentsFailed({ message: `There is no checkout ${session}.` })
          act(checkout)
          return Effect.succeed(foundOf(session, checkout))
        }
      )

    const till = Till.of({
      connect: (orgId, isConnected) =>
        Effect.sync(() => {
          if (isConnected) connected.add(orgId)
          else connected.delete(orgId)
        }),
      refuse: (now) =>
        Effect.sync(() => {
          refuses = now
        }),
      pay: (bookingId) =>
        Effect.sync(() => {
          const last = [...checkouts.values()].findLast(({ asked }) => asked.bookingId === bookingId)
          if (last === undefined || last.isClosed || last.intent !== null) return null
          return last.intent = `paid-${last.asked.id}`
        }),
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
      checkout: (payment) =>
        asked(() => {
          const session = `session-${payment.id}`
          const checkout = checkouts.get(session) ??
            { asked: payment, url: `https://till.example/${payment.id}`, isClosed: false, intent: null }
          checkouts.set(session, checkout)
          return { session, url: checkout.url }
        }),
      look: (checkout) => found(checkout),
      close: (checkout) =>
        found(checkout, (one) => {
          one.isClosed ||= one.intent === null
        }),
      refund: ({ bookingId, cents, id }) =>
        asked(() => {
          refunds.set(id, { bookingId, cents })
          return `refund-${id}`
        }),
      since: () => asked(() => [])
    })
    return Context.make(Till, till).pipe(Context.add(Payments, payments))
  }))
}

const foundOf = (session: string, { asked, intent, isClosed }: TillCheckout): FoundCheckout =>
  intent === null
    ? { session, paymentId: asked.id, status: isClosed ? "expired" : "open" }
    : { session, paymentId: asked.id, status: "paid", intent, cents: asked.cents, currency: asked.currency }
