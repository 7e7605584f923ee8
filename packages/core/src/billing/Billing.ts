import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { BookingStore } from "../booking/BookingStore.ts"
import { plans } from "../org/Org.ts"
import { Orgs } from "../org/Orgs.ts"
import type { Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { Integer } from "../wire/View.ts"

/** The plan and its usage, as the API returns them. */
export const BillingView = Schema.Struct({
  plan: withDescription("the outfitter's plan", Schema.Literal(...plans)),
  usage: withDescription(
    "the usage this month (UTC)",
    Schema.Struct({
      used: withDescription("the number of confirmed bookings", Integer, 5),
      cap: withDescription(
        "the number of bookings included in the free plan. Not a hard limit",
        Integer,
        25
      ),
      pct: withDescription("usage as a percentage of cap", Integer, 20)
    })
  )
}).annotations({ identifier: "Billing" })
export type BillingView = typeof BillingView.Type

/** The free plan's cap. Bookings are still confirmed above the cap. */
const cap = 25

export class Billing extends Context.Tag("@trailbook/core/Billing")<
  Billing,
  {
    readonly get: (orgId: string) => Effect.Effect<BillingView, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(Billing, Effect.suspend(() => makeBilling))
}

const makeBilling = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const orgs = yield* Orgs
  return Billing.of({
    get: (orgId) =>
      Effect.gen(function*() {
        const org = yield* orgs.get(orgId)
        const [confirmedCount = 0] = yield* bookings.countConfirmed(orgId, [getUtcMonth(yield* currentTime)])
        return { plan: org.plan, usage: { used: confirmedCount, cap, pct: Math.round((confirmedCount / cap) * 100) } }
      })
  })
})

const getUtcMonth = (now: Instant.Instant) => {
  const start = DateTime.startOf(DateTime.unsafeMake(now), "month")
  const toInstant = (at: DateTime.Utc) => Instant.make(DateTime.toEpochMillis(at))
  return { from: toInstant(start), to: toInstant(DateTime.add(start, { months: 1 })) }
}
