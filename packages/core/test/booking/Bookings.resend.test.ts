import { expect, it } from "@effect/vitest"
import { Bookings } from "@trailbook/core/booking/Bookings"
import * as Offering from "@trailbook/core/offering/Offering"
import * as Org from "@trailbook/core/org/Org"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { daily } from "../generators/hours.ts"
import { makeOrder } from "../world/order.ts"
import { bookingsOver } from "../world/ports.ts"
import { makeWorld } from "../world/World.ts"

const now = Instant.make(Date.parse("2027-05-01T12:00:00Z"))
const org = Org.make({ id: "org", name: "Salida", slug: "salida", timezone: "Etc/UTC", createdAt: now })
const lesson = Offering.make({
  id: "lesson",
  orgId: "org",
  kind: "appointment",
  name: "Lesson",
  createdAt: now
})

const world = makeWorld({
  now,
  orgs: new Map([["org", { org, zone: Zone.get("Etc/UTC"), payments: false }]]),
  offerings: [{ ...lesson, hours: daily(0, 86_400) }]
})

const order = (hour: number, holdMinutes?: number) =>
  makeOrder({
    offeringId: "lesson",
    startsAt: Instant.addMinutes(Instant.make(Date.parse("2027-05-05T00:00:00Z")), hour * 60),
    holdMinutes,
    idempotency: { key: String(hour), fingerprint: "" }
  })

it.effect("resends a confirmation at most once in 24 hours", () => {
  const state = { world }
  const mails = () => state.world.tasks.filter(({ kind }) => kind === "mail.confirmed").length
  return Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const bookings = yield* Bookings
    const { booking: { id } } = yield* bookings.create(order(9))
    const resend = bookings.resend({ orgId: "org", id })
    expect(mails()).toBe(1)
    yield* resend
    expect(mails()).toBe(2)
    yield* TestClock.adjust(24 * 3_600_000 - 1)
    const { code, retryAfterSeconds } = yield* Effect.flip(resend)
    expect([code, retryAfterSeconds, mails()]).toEqual(["resend_limited", 1, 2])
    yield* TestClock.adjust("1 millis")
    yield* resend
    expect(mails()).toBe(3)
  }).pipe(Effect.provide(bookingsOver(state)))
})

it.effect("resends no email for holds, canceled bookings, and erased guests", () => {
  const state = { world }
  return Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const bookings = yield* Bookings
    const heldResult = yield* bookings.create(order(9, 60))
    const cancelledResult = yield* bookings.create(order(11))
    yield* bookings.cancel({ orgId: "org", id: cancelledResult.booking.id }, "full")
    const confirmedResult = yield* bookings.create(order(13))
    const customers = state.world.customers.map((customer) => ({ ...customer, email: "", erasedAt: now }))
    const before = { ...state.world, customers }
    state.world = before
    const refusals = yield* Effect.forEach(
      [heldResult, cancelledResult, confirmedResult],
      ({ booking: { id } }) => Effect.flip(bookings.resend({ orgId: "org", id }))
    )
    expect(refusals.map(({ code }) => code)).toEqual(["booking_held", "booking_cancelled", "customer_erased"])
    expect(state.world).toEqual(before)
  }).pipe(Effect.provide(bookingsOver(state)))
})
