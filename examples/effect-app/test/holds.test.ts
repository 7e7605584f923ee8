import { it } from "@effect/vitest"
import { bookingsCreate } from "@trailbook/core/booking"
import { offeringsCreate } from "@trailbook/core/offering"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { BookingEngine, call } from "trailbook/effect"
import { assert } from "vitest"
import { outfitter } from "../engine.ts"

const inMemory = Layer.provideMerge(outfitter, BookingEngine.layer({ database: ":memory:" }))

it.effect("another guest can book the kayak after a hold on it expires", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(Date.UTC(2027, 4, 1, 15))
    const { id: offering_id } = yield* call(offeringsCreate, { name: "Kayak", kind: "rental", capacity: 1 })
    const order = { offering_id, starts_at: "2027-05-03T15:00:00Z", customer: { email: "ada@example.com" } }

    yield* call(bookingsCreate, { ...order, hold_minutes: 15 })
    const { code } = yield* Effect.flip(call(bookingsCreate, order))
    assert.strictEqual(code, "slot_full")

    yield* TestClock.adjust("15 minutes")
    const { status } = yield* call(bookingsCreate, order)
    assert.strictEqual(status, "confirmed")
  }).pipe(Effect.provide(inMemory)))
