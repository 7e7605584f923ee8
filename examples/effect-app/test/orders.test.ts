/** The shop's tables and Trailbook's tables change in one transaction. */
import * as SqlClient from "@effect/sql/SqlClient"
import { availabilityGet } from "@trailbook/core/availability"
import { bookingsList } from "@trailbook/core/booking"
import { offeringsCreate } from "@trailbook/core/offering"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { call } from "trailbook/effect"
import { assert, it } from "vitest"
import { outfitter } from "../engine.ts"
import { engine, order } from "../orders.ts"

it("the shop stores an order and its booking in one transaction", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trailbook-shop-"))
  const program = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`create table orders (id integer primary key, email text)`
    yield* sql`create table waivers (email text primary key)`
    yield* sql`insert into waivers values ('ada@example.com')`
    const { id: trip } = yield* call(offeringsCreate, { name: "Kayak", kind: "rental", capacity: 1 })
    const { data } = yield* call(availabilityGet, { id: trip })
    const startsAt = data.at(-1)?.starts_at ?? ""
    const unsigned = yield* Effect.flip(order({ email: "bob@example.com", startsAt, trip }))
    const placedOrder = yield* order({ email: "ada@example.com", startsAt, trip })
    const full = yield* Effect.flip(order({ email: "ada@example.com", startsAt, trip }))
    assert.deepEqual([unsigned, full].map((error) => "code" in error ? String(error.code) : error), [
      "waiver_missing",
      "slot_full"
    ])
    assert.deepEqual(yield* sql`select id, email from orders`, [{ id: placedOrder.order, email: "ada@example.com" }])
    const { data: bookings } = yield* call(bookingsList, {})
    assert.deepEqual(bookings.map(({ reference }) => reference), [placedOrder.reference])
  })
  const config = Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["SHOP_FILE", join(folder, "shop.sqlite")]])))
  await Effect.runPromise(
    Effect.provide(program, Layer.provideMerge(outfitter, engine).pipe(Layer.provide(config)))
  )
  rmSync(folder, { recursive: true })
})
