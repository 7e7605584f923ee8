import { Actor } from "@trailbook/core/actor"
import { Bookings } from "@trailbook/core/booking"
import { Payments, PaymentsFailed, type ProviderCheckout } from "@trailbook/core/payment"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { BookingEngine } from "trailbook/effect"

interface Answer {
  readonly page: string
  readonly isOpen: boolean
  /** The provider's ID for the payment, once it is paid. */
  readonly payment: string | null
}

const stateOf = (session: string, { isOpen, payment }: Answer): ProviderCheckout =>
  payment === null
    ? { session, paymentId: session, status: isOpen ? "open" : "expired" }
    : { session, paymentId: session, status: "paid", intent: payment, cents: null, currency: null }

/** A provider with a payment page. Each call is idempotent by ID, so it can be repeated. */
export const payments = Layer.effect(
  Payments,
  Effect.gen(function*() {
    const url = yield* Config.url("PAY_URL")
    const key = yield* Config.redacted("PAY_KEY")
    const ask = (path: string, body: object) =>
      Effect.tryPromise({
        try: async (signal): Promise<Answer> => {
          const answer = await fetch(new URL(path, url), {
            method: "POST",
            headers: { authorization: `Bearer ${Redacted.value(key)}` },
            body: JSON.stringify(body),
            signal
          })
          if (!answer.ok) throw new Error(`${answer.status}`)
          return answer.json()
        },
        // The message is stored with the retry, so it contains no personal data.
        catch: () => new PaymentsFailed({ message: "The payment provider did not respond." })
      })
    return Payments.of({
      connected: () => Effect.succeed({ provider: "pay", connection: null }),
      checkout: ({ cents, currency, id }) =>
        Effect.map(ask("checkouts", { id, amount: cents, currency }), ({ page }) => ({ session: id, url: page })),
      getCheckout: ({ session }) => Effect.map(ask("states", { id: session }), (answer) => stateOf(session, answer)),
      close: ({ session }) => Effect.map(ask("ends", { id: session }), (answer) => stateOf(session, answer)),
      refund: ({ intent }, { cents, id }) =>
        Effect.as(ask("refunds", { id, payment: intent, cents }), {
          id: `refund of ${id}`,
          status: "done",
          reason: ""
        }),
      refunds: () => Effect.succeed([]),
      since: () => Effect.succeed([])
    })
  })
)

export const engine = BookingEngine.layerConfig({ database: Config.redacted("DATABASE") }, { payments })

/** Handles a notification from the provider, which may arrive late or more than once. */
export const payBooking = (id: string, payment: string) =>
  Effect.gen(function*() {
    const { orgId } = yield* Actor
    const bookings = yield* Bookings
    return yield* bookings.pay({ orgId, id }, payment)
  })
