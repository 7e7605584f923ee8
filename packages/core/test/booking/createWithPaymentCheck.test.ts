import { expect, it } from "@effect/vitest"
import { Bookings } from "@trailbook/core/booking/Bookings"
import * as Offering from "@trailbook/core/offering/Offering"
import * as Org from "@trailbook/core/org/Org"
import { Payments } from "@trailbook/core/payment/online/Payments"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { daily } from "../generators/hours.ts"
import { makeOrder } from "../world/order.ts"
import { bookingsOver } from "../world/ports.ts"
import { makeWorld } from "../world/World.ts"

const now = Instant.make(Date.UTC(2027, 10, 1))
const timezone = "UTC"
const orgFields = { name: "Salida", slug: "salida", timezone, createdAt: now }
const org = (id: string) => ({
  org: Org.make({ ...orgFields, id, plan: "pro" }),
  zone: Zone.get(timezone),
  payments: true
})
const raft = (orgId: string) => ({
  ...Offering.make({ id: "raft", orgId, kind: "rental", name: "Raft", createdAt: now, capacity: 9, priceCents: 100 }),
  hours: daily(0, 86_400)
})

const world = makeWorld({
  now,
  orgs: new Map([["slow", org("slow")], ["quick", org("quick")]]),
  offerings: [raft("slow"), raft("quick")]
})

const order = (orgId: string, key: string) =>
  makeOrder({
    orgId,
    offeringId: "raft",
    startsAt: Instant.addMinutes(now, 1440),
    idempotency: { key, fingerprint: "" }
  })

/** A provider that always responds for one outfitter, but stops responding for the other once `hangs` is set. */
const provider = () => {
  const queriedOrgs: Array<string> = []
  const state = { hangs: false }
  const layer = Layer.succeed(
    Payments,
    Payments.of({
      connected: (orgId) =>
        Effect.suspend(() => {
          queriedOrgs.push(orgId)
          return state.hangs && orgId === "slow" ? Effect.never : Effect.succeed({ provider: "slow", connection: null })
        }),
      checkout: ({ id }) => Effect.succeed({ session: id, url: "https://pay.example" }),
      getCheckout: () => Effect.never,
      close: () => Effect.never,
      refund: () => Effect.never,
      refunds: () => Effect.never,
      since: () => Effect.never
    })
  )
  return { queriedOrgs, layer, state }
}

const runWith = <A, E>(payments: Layer.Layer<Payments>, work: Effect.Effect<A, E, Bookings>) =>
  Effect.zipRight(TestClock.setTime(now), Effect.provide(work, bookingsOver({ world }, { payments })))

it.effect("fails only the orders whose payment provider does not respond within 5 seconds", () => {
  const { layer, state } = provider()
  return runWith(
    layer,
    Effect.gen(function*() {
      const bookings = yield* Bookings
      state.hangs = true
      const slowOrder = yield* Effect.fork(Effect.flip(bookings.create(order("slow", "a"))))
      const quick = yield* bookings.create(order("quick", "b"))
      expect(quick.booking).toMatchObject({ status: "held", checkoutUrl: "https://pay.example" })

      yield* TestClock.adjust("4999 millis")
      expect(yield* Fiber.poll(slowOrder)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("1 millis")
      const refusal = yield* Fiber.join(slowOrder)
      expect(refusal.code).toBe("unavailable")
      expect(refusal.message).toMatch(/payment provider did not respond.*same idempotency_key/)

      // Nothing was booked under the key, so the same request succeeds later.
      state.hangs = false
      yield* bookings.create(order("slow", "a"))
    })
  )
})

it.effect("queries the provider only for new orders", () => {
  const { queriedOrgs, layer, state } = provider()
  return runWith(
    layer,
    Effect.gen(function*() {
      const bookings = yield* Bookings
      for (const key of ["a", "b", "c"]) yield* bookings.create(order("slow", key))
      expect(queriedOrgs).toEqual(["slow", "slow", "slow"])

      state.hangs = true
      const again = yield* Effect.fork(bookings.create(order("slow", "a")))
      yield* TestClock.adjust("5 seconds")
      expect((yield* Fiber.join(again)).booking).toMatchObject({ status: "held" })
    })
  )
})
