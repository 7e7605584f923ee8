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
import { makeWorld, type World } from "../world/World.ts"

const at = (text: string) => Instant.make(Date.parse(text))
const now = at("2027-11-01T12:00:00-06:00")

const timezone = "America/Denver"
const org = Org.make({ id: "org", name: "Salida", slug: "salida", timezone, createdAt: now })
const raftFields = {
  id: "raft",
  orgId: "org",
  kind: "rental" as const,
  name: "Raft",
  createdAt: now,
  judgedAt: Instant.make(0)
}

const world = makeWorld({
  now,
  orgs: new Map([["org", { org, zone: Zone.get(timezone), payments: false }]]),
  offerings: [{ ...Offering.make({ ...raftFields, slotIntervalMinutes: 30 }), hours: daily(0, 86_400) }]
})

const order = (startsAt: string) =>
  makeOrder({
    offeringId: "raft",
    startsAt: at(startsAt),
    idempotency: { key: startsAt, fingerprint: "" }
  })

it.effect("reserves a rental's items for the extra hour of a clock change", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const bookings = yield* Bookings
    const { booking: { id } } = yield* bookings.create(order("2027-11-03T12:00:00-06:00"))

    // Denver's clocks go back on November 7, so noon to noon is 25 hours.
    const to = { sessionId: undefined, startsAt: at("2027-11-06T12:00:00-06:00") }
    const { booking } = yield* bookings.move({ orgId: "org", id }, to)
    expect(booking.endsAt - booking.startsAt).toBe(25 * 3_600_000)

    const refusal = yield* Effect.flip(bookings.create(order("2027-11-07T11:30:00-07:00")))
    expect(refusal.code).toBe("slot_full")
    yield* bookings.create(order("2027-11-07T12:00:00-07:00"))
  }).pipe(Effect.provide(bookingsOver({ world }))))

it.effect("a move to the current start leaves a rental unchanged after a time zone change", () => {
  const state = { world }
  return Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const bookings = yield* Bookings
    // Two days across the DST change in Denver: 49 hours. In another zone, they would be 48 hours.
    const { booking } = yield* bookings.create({ ...order("2027-11-06T12:00:00-06:00"), periods: 2 })
    expect(booking.endsAt - booking.startsAt).toBe(49 * 3_600_000)
    const tokyo = { org: { ...org, timezone: "Asia/Tokyo" }, zone: Zone.get("Asia/Tokyo"), payments: false }
    const move = bookings.move({ orgId: "org", id: booking.id }, { sessionId: undefined, startsAt: booking.startsAt })
    for (const hours of [daily(0, 86_400), []]) {
      const offerings = state.world.offerings.map((offering) => ({ ...offering, hours }))
      const before = { ...state.world, orgs: new Map([["org", tokyo]]), offerings }
      state.world = before
      expect((yield* move).booking).toEqual(booking)
      expect(state.world).toEqual(before)
    }
  }).pipe(Effect.provide(bookingsOver(state)))
})

it.effect("a move to the current session leaves a booking unchanged after the session's cancellation", () => {
  const raft = { ...Offering.make({ ...raftFields, kind: "class" }), hours: [] }
  const startsAt = at("2027-11-03T12:00:00-06:00")
  const session = {
    id: "s",
    orgId: "org",
    offeringId: "raft",
    startsAt,
    endsAt: startsAt,
    capacity: 9,
    notes: "",
    createdAt: now,
    judgedAt: Instant.make(0)
  }
  const state: { world: World } = {
    world: { ...world, offerings: [raft], sessions: [{ ...session, status: "scheduled" }] }
  }
  return Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const bookings = yield* Bookings
    const wish = { ...order(""), startsAt: undefined, sessionId: "s" }
    const { booking } = yield* bookings.create(wish)
    const before: World = { ...state.world, sessions: [{ ...session, status: "cancelled" }] }
    state.world = before
    const to = { sessionId: "s", startsAt: undefined }
    expect((yield* bookings.move({ orgId: "org", id: booking.id }, to)).booking).toEqual(booking)
    expect(state.world).toEqual(before)
  }).pipe(Effect.provide(bookingsOver(state)))
})
