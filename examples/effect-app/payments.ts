import { Actor } from "@trailbook/core/actor/Actor"
import { Bookings } from "@trailbook/core/booking/Bookings"
import { Payments, PaymentsFailed } from "@trailbook/core/booking/Payments"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { BookingEngine } from "trailbook/effect"

/** A provider with a page to pay on. It does one thing for one id, so every call may be repeated. */
export const payments = Layer.effect(
  Payments,
  Effect.gen(function*() {
    const url = yield* Config.url("PAY_URL")
    const key = yield* Config.redacted("PAY_KEY")
    const ask = (path: string, asked: object) =>
      Effect.tryPromise({
        try: async (signal): Promise<{ readonly page: string }> => {
          const answer = await fetch(new URL(path, url), {
            method: "POST",
            headers: { authorization: `Bearer ${Redacted.value(key)}` },
            body: JSON.stringify(asked),
            signal
          })
          if (!answer.ok) throw new Error(`${answer.status}`)
          return answer.json()
        },
        // It is kept with what is tried again, so it names nobody.
        catch: () => new PaymentsFailed({ message: "The payment provider does not answer." })
      })
    return Payments.of({
      connected: () => Effect.succeed(true),
      checkout: ({ booking: { id, totalCents } }, { currency }) =>
        Effect.map(ask("checkouts", { id, amount: totalCents, currency }), ({ page }) => page),
      refund: ({ booking: { id, paymentIntentId } }) => Effect.asVoid(ask("refunds", { id, payment: paymentIntentId }))
    })
  })
)

export const engine = BookingEngine.layerConfig({ database: Config.redacted("DATABASE") }, { payments })

/** What the provider reports; once, twice or late. */
export const paid = (id: string, payment: string) =>
  Effect.gen(function*() {
    const { orgId } = yield* Actor
    const bookings = yield* Bookings
    return yield* bookings.pay({ orgId, id }, payment)
  })
