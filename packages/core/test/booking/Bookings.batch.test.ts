import { expect, it } from "@effect/vitest"
import { Bookings } from "@trailbook/core/booking/Bookings"
import type { CreateBookingRequest } from "@trailbook/core/booking/createBooking"
import * as Offering from "@trailbook/core/offering/Offering"
import * as Org from "@trailbook/core/org/Org"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { daily } from "../generators/hours.ts"
import { bookingsOver } from "../world/ports.ts"
import type { World } from "../world/World.ts"

const now = Instant.make(Date.parse("2027-05-01T12:00:00Z"))
const org = Org.make({ id: "org", name: "Salida", slug: "salida", timezone: "Etc/UTC", createdAt: now })
const lesson = Offering.make({
  id: "lesson",
  orgId: "org",
  kind: "appointment",
  name: "Lesson",
  createdAt: now
})

const world: World = {
  now,
  orgs: new Map([["org", { org, zone: Zone.get("Etc/UTC"), payments: false }]]),
  offerings: [{ ...lesson, hours: daily(0, 86_400) }],
  sessions: [],
  customers: [],
  bookings: [],
  payments: [],
  events: [],
  tasks: [],
  drawn: 0
}

const order = (hour: number, key: string): CreateBookingRequest => ({
  orgId: "org",
  source: "api",
  offeringId: "lesson",
  sessionId: undefined,
  startsAt: Instant.addMinutes(Instant.make(Date.parse("2027-05-05T00:00:00Z")), hour * 60),
  quantity: 1,
  periods: undefined,
  customerId: undefined,
  contact: { email: "ann@a.co" },
  notes: "",
  holdMinutes: undefined,
  idempotency: { key, fingerprint: "" }
})

it.effect("requests of a batch for the same start share one overlap query", () => {
  const state = { world: { ...world, offerings: world.offerings.map((one) => ({ ...one, capacity: 3 })) } }
  const queriesPerBatch: Array<number> = []
  // The first booking yields, so that the others wait for it and form the second batch.
  const countQueries = (queries: ReadonlyArray<unknown>) =>
    Effect.zipRight(Effect.sync(() => queriesPerBatch.push(queries.length)), Effect.yieldNow())
  return Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const bookings = yield* Bookings
    const orders = [order(9, "a"), order(9, "b"), order(9, "c"), order(9, "d"), order(11, "e")]
    const results = yield* Effect.forEach(orders, (one) => Effect.either(bookings.create(one)), {
      concurrency: "unbounded"
    })
    expect(results.map(({ _tag }) => _tag)).toEqual(["Right", "Right", "Right", "Left", "Right"])
    expect(queriesPerBatch).toEqual([1, 2])
  }).pipe(Effect.provide(bookingsOver(state, undefined, countQueries)))
})
