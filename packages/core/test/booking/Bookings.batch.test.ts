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
  offerings: [{ ...lesson, capacity: 3, hours: daily(0, 86_400) }]
})

const order = (hour: number, key: string, visitor?: CreateBookingRequest["visitor"]) =>
  makeOrder({
    offeringId: "lesson",
    startsAt: Instant.addMinutes(Instant.make(Date.parse("2027-05-05T00:00:00Z")), hour * 60),
    idempotency: { key, fingerprint: "" },
    visitor
  })

/** Runs the first order in one batch and the others in a second. Returns the outcomes and the queries in each read. */
const runInTwoBatches = (orders: ReadonlyArray<CreateBookingRequest>) => {
  const queriesPerRead: Array<number> = []
  // The first batch yields, so that the other orders wait for it and form the second batch.
  const beforeQueries = (queries: ReadonlyArray<unknown>) =>
    Effect.zipRight(Effect.sync(() => queriesPerRead.push(queries.length)), Effect.yieldNow())
  return Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const bookings = yield* Bookings
    const results = yield* Effect.forEach(orders, (one) => Effect.either(bookings.create(one)), {
      concurrency: "unbounded"
    })
    return { outcomes: results.map(({ _tag }) => _tag), queriesPerRead }
  }).pipe(Effect.provide(bookingsOver({ world }, { beforeQueries })))
}

it.effect("requests for the same start in a batch share one overlap query", () =>
  Effect.gen(function*() {
    const orders = [order(9, "a"), order(9, "b"), order(9, "c"), order(9, "d"), order(11, "e")]
    expect(yield* runInTwoBatches(orders)).toEqual({
      outcomes: ["Right", "Right", "Right", "Left", "Right"],
      queriesPerRead: [1, 2]
    })
  }))

it.effect("visitors who book the same start in a batch share the query for its unproven bookings", () =>
  Effect.gen(function*() {
    const visitor = { network: "net", language: "en" } as const
    const orders = ["a", "b", "c"].map((key) => order(9, key, visitor))
    // Each batch reads the unproven bookings of the network and the start, and the bookings that overlap the start.
    expect((yield* runInTwoBatches(orders)).queriesPerRead).toEqual([2, 1, 2, 1])
  }))
