import { expect, it } from "@effect/vitest"
import { Bookings } from "@trailbook/core/booking/Bookings"
import type { Order } from "@trailbook/core/booking/create"
import * as Offering from "@trailbook/core/offering/Offering"
import * as Org from "@trailbook/core/org/Org"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { daily } from "../generators/hours.ts"
import { bookingsOver } from "../world/ports.ts"
import type { World } from "../world/World.ts"

const at = (text: string) => Instant.make(Date.parse(text))
const now = at("2027-11-01T12:00:00-06:00")

const timezone = "America/Denver"
const org = Org.make({ id: "org", name: "Salida", slug: "salida", timezone, createdAt: now })
const given = { id: "raft", orgId: "org", kind: "rental" as const, name: "Raft", createdAt: now }

const world: World = {
  now,
  orgs: new Map([["org", { org, zone: Zone.get(timezone), payments: false }]]),
  offerings: [{ ...Offering.make({ ...given, slotIntervalMinutes: 30 }), hours: daily(0, 86_400) }],
  sessions: [],
  customers: [],
  bookings: [],
  events: [],
  errands: [],
  drawn: 0
}

const order = (startsAt: string): Order => ({
  orgId: "org",
  source: "api",
  offeringId: "raft",
  sessionId: undefined,
  startsAt: at(startsAt),
  quantity: 1,
  periods: undefined,
  customerId: undefined,
  contact: { email: "ann@a.co" },
  notes: "",
  holdMinutes: undefined,
  idempotency: { key: startsAt, fingerprint: "" }
})

it.effect("a rental that moved over a change of clocks keeps its place for the hour that it grew by", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const bookings = yield* Bookings
    const { booking: { id } } = yield* bookings.create(order("2027-11-03T12:00:00-06:00"))

    // Denver's clocks go back on 7 November: from noon to noon it is 25 hours.
    const to = { sessionId: undefined, startsAt: at("2027-11-06T12:00:00-06:00") }
    const { booking } = yield* bookings.move({ orgId: "org", id }, to)
    expect(booking.endsAt - booking.startsAt).toBe(25 * 3_600_000)

    const refusal = yield* Effect.flip(bookings.create(order("2027-11-07T11:30:00-07:00")))
    expect(refusal.code).toBe("slot_full")
    yield* bookings.create(order("2027-11-07T12:00:00-07:00"))
  }).pipe(Effect.provide(bookingsOver(world))))
