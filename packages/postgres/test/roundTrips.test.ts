/** Tests the number of round trips, which determines a request's latency when there is no load. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@trailbook/postgres"
import { batchOptions } from "@trailbook/postgres/batchOptions"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { rafting } from "../../../test/rafting.ts"
import { countingPool } from "./countingPool.ts"
import { raftingOverHttp } from "./raftingOverHttp.ts"
import { database } from "./schema.ts"

it.scopedLive("a single booking and its confirmation take 3 round trips each", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    const { countIn, pool } = yield* countingPool(url)
    yield* Effect.gen(function*() {
      const { book, call } = yield* rafting(batchOptions)
      const hold = book({ hold_minutes: 30, customer: { email: "ann@a.co" } })
      const trips: Array<readonly [booked: number, confirmed: number]> = []
      for (let time = 0; time < 20; time++) {
        const booking = yield* countIn(hold)
        const { id } = booking.result as { readonly id: string }
        const confirmation = yield* countIn(call("bookings.confirm", { id }))
        trips.push([booking.counts.trips, confirmation.counts.trips])
      }
      // Background ANALYZE statements share the pool and add round trips to the first runs, so compare the minimum.
      const fewest = [0, 1].map((which) => Math.min(...trips.map((one) => one[which] ?? Infinity)))
      assert.deepStrictEqual(fewest, [3, 3])
    }).pipe(Effect.provide(layer({ pool })))
  }))

describe("an HTTP request", () => {
  const fixture = Effect.gen(function*() {
    const { url } = yield* database()
    const { countIn, pool } = yield* countingPool(url)
    const storage = yield* Layer.build(layer({ pool }))
    return { countIn, ...yield* Effect.provide(raftingOverHttp(batchOptions), storage) }
  })

  it.scopedLive("reads a booking in 1 round trip, and slots in 2", () =>
    Effect.gen(function*() {
      const { ask, countIn, hold, slots } = yield* fixture
      const { id } = (yield* hold).json as { readonly id: string }
      const booking = yield* countIn(ask("GET", `/bookings/${id}`))
      assert.propertyVal(booking.result, "status", 200)
      assert.deepStrictEqual(booking.counts, { trips: 1, statements: 3 })
      const available = yield* countIn(ask("GET", slots))
      assert.propertyVal(available.result, "status", 200)
      assert.deepStrictEqual(available.counts, { trips: 2, statements: 7 })
    }))

  it.scopedLive("creates a hold in 4 round trips, and confirms it in 4", () =>
    Effect.gen(function*() {
      const { ask, countIn, hold } = yield* fixture
      yield* hold
      const booking = yield* countIn(hold)
      assert.deepStrictEqual(booking.counts, { trips: 4, statements: 13 })
      const { id } = booking.result.json as { readonly id: string }
      const confirmation = yield* countIn(ask("POST", `/bookings/${id}/confirm`))
      assert.propertyVal(confirmation.result, "status", 200)
      assert.deepStrictEqual(confirmation.counts, { trips: 4, statements: 13 })
    }))

  it.scopedLive("needs no extra round trips for rates, extras, fees, or discounts", () =>
    Effect.gen(function*() {
      const { ask, countIn, starts_at } = yield* fixture
      const send = (method: string, path: string, body: unknown) =>
        Effect.map(ask(method, path, body), ({ json, status }) => {
          assert.oneOf(status, [200, 201], JSON.stringify(json))
          return json
        })
      const { id: offering_id } = (yield* send("POST", "/offerings", {
        kind: "class",
        name: "Kayaking",
        capacity: 99,
        pricing: {
          rates: [
            { id: "adult", name: "Adult", price_cents: 9500, places: 1 },
            { id: "child", name: "Child", price_cents: 7500, places: 1 }
          ],
          extras: [{ id: "wetsuit", name: "Wetsuit", price_cents: 1500, per: "place" }]
        }
      })) as { readonly id: string }
      yield* send("PATCH", "/org", { fees: [{ id: "park", name: "Park fee", cents: 500, per: "place" }] })
      for (const code of ["SPRING", "FALL"]) yield* send("POST", "/discounts", { code, percent_bps: 1000, max_uses: 9 })
      const { data: [{ id: session_id }] } = (yield* send("POST", "/sessions", { offering_id, starts_at })) as {
        readonly data: readonly [{ readonly id: string }]
      }
      const customer = { email: "ann@a.co" }
      const plain = { offering_id, session_id, customer, party: [{ rate_id: "adult", quantity: 1 }] }
      const order = {
        ...plain,
        party: [{ rate_id: "adult", quantity: 2 }, { rate_id: "child", quantity: 1 }],
        extras: [{ extra_id: "wetsuit", quantity: 3 }],
        discount_code: "SPRING"
      }
      yield* send("POST", "/bookings", plain)
      const { counts: usual } = yield* countIn(send("POST", "/bookings", plain))
      yield* send("POST", "/bookings", order)
      const { counts, result } = yield* countIn(send("POST", "/bookings", order))
      // The two additional statements lock the code and count its uses.
      assert.deepStrictEqual(counts, { trips: usual.trips, statements: usual.statements + 2 })
      const { id } = result as { readonly id: string }
      const update = send("PATCH", `/bookings/${id}`, { discount_code: "FALL" })
      // A new price closes the open checkout for the old balance.
      assert.deepStrictEqual((yield* countIn(update)).locked, [
        ["offerings", "sessions", "discounts"],
        ["bookings"],
        ["payments"]
      ])
    }))

  it.scopedLive("locks the class, then the session, and then the booking", () =>
    Effect.gen(function*() {
      const { ask, countIn, starts_at } = yield* fixture
      const post = (path: string, body: unknown) => Effect.map(ask("POST", path, body), ({ json }) => json)
      const { id: offering_id } = (yield* post("/offerings", { kind: "class", name: "Kayaking", capacity: 9 })) as {
        readonly id: string
      }
      const { data: [{ id: session_id }] } = (yield* post("/sessions", { offering_id, starts_at })) as {
        readonly data: readonly [{ readonly id: string }]
      }
      const customer = { email: "ann@a.co" }
      const { id } = (yield* post("/bookings", { offering_id, session_id, hold_minutes: 30, customer })) as {
        readonly id: string
      }
      const lockedBy = (action: string) =>
        Effect.map(countIn(ask("POST", `/bookings/${id}/${action}`)), ({ locked }) => locked)
      assert.deepStrictEqual(yield* lockedBy("confirm"), [["sessions"], ["bookings"]])
      assert.deepStrictEqual(yield* lockedBy("cancel"), [["bookings"]])
      // A canceled booking occupies no place, so confirming it locks the class, just like confirming an expired hold.
      assert.deepStrictEqual(yield* lockedBy("confirm"), [["offerings", "sessions"], ["bookings"]])
    }))

  it.scopedLive("loads the dashboard's day view in 4 round trips", () =>
    Effect.gen(function*() {
      const { ask, asStaff, countIn } = yield* fixture
      const now = yield* Clock.currentTimeMillis
      const post = (path: string, body: unknown) => Effect.map(ask("POST", path, body), ({ json }) => json)
      const { id: offering_id } = (yield* post("/offerings", {
        kind: "class",
        name: "Float",
        capacity: 100,
        price_cents: 9500
      })) as { readonly id: string }
      const { data: [{ id: session_id }] } = (yield* post("/sessions", {
        offering_id,
        starts_at: new Date(now).toISOString()
      })) as { readonly data: readonly [{ readonly id: string }] }
      const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
      const today = asStaff("dashboard.today", {
        from: at(-12),
        to: at(12),
        unreached_to: at(48),
        collected_from: at(-36)
      })
      for (let guest = 0; guest < 6; guest++) {
        yield* post("/bookings", { offering_id, session_id, walk_in: true, customer: { email: `g${guest}@a.co` } })
        if (guest % 3 !== 2) continue
        const { counts, result } = yield* countIn(today)
        assert.deepInclude(result, { count: 1, quantity: guest + 1 })
        assert.deepStrictEqual(counts, { trips: 4, statements: 12 })
      }
    }))

  it.scopedLive("returns no data for a revoked key", () =>
    Effect.gen(function*() {
      const { ask, countIn, hold, revoke } = yield* fixture
      const { id } = (yield* hold).json as { readonly id: string }
      yield* revoke
      for (const statements of [3, 2]) {
        const { counts, result } = yield* countIn(ask("GET", `/bookings/${id}`))
        assert.strictEqual(result.status, 401)
        assert.notInclude(JSON.stringify(result.json), id)
        assert.deepStrictEqual(counts, { trips: 1, statements })
      }
    }))
})
