/**
 * Tests the responses when no slot is free. `next` must be the first listed slot with capacity, and removing the
 * reported cause must free up a slot.
 */
import type { Refusal } from "@trailbook/core"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { layerNone } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"

const engine = coreLayer({ batches: "none" }).pipe(
  Layer.provideMerge(Layer.mergeAll(Memory.layer, Payments.layerNone, TestIds.layer(1), layerNone))
)

/** Saturday noon in Denver. */
const start = Instant.parse("2027-06-05T18:00:00Z") ?? Instant.min
const today = LocalDate.parse("2027-06-05") ?? LocalDate.make(0)

interface Slot {
  readonly starts_at: string
  readonly remaining: number
  readonly session_id?: string
}

interface Answer {
  readonly id: string
  readonly data: ReadonlyArray<Slot>
  readonly nothing_free?: { readonly because: string; readonly next?: Slot }
}

type Call = (name: string, input: object) => Effect.Effect<Answer>

const kind = FastCheck.constantFrom("class", "appointment", "rental")

const outfit = FastCheck.record({
  kind,
  duration_minutes: FastCheck.constantFrom(60, 240, 1440, 4320),
  capacity: FastCheck.constantFrom(1, 2, 3),
  min_notice_minutes: FastCheck.constantFrom(0, 0, 60, 2880, 20_160),
  max_advance_days: FastCheck.constantFrom(1, 7, 40, 365),
  weekdays: FastCheck.subarray([0, 1, 2, 3, 4, 5, 6]),
  sessions: FastCheck.array(FastCheck.integer({ min: -3, max: 120 }), { maxLength: 6 }),
  booked: FastCheck.array(FastCheck.record({ slot: FastCheck.nat(5), quantity: FastCheck.constantFrom(1, 2, 3) }), {
    maxLength: 8
  }),
  active: FastCheck.constantFrom(true, true, true, false)
})

const wish = FastCheck.record({
  // The weights make each cause occur often enough. For example, a notice period blocks only the next few days.
  from: FastCheck.oneof(
    { weight: 3, arbitrary: FastCheck.integer({ min: -10, max: 60 }) },
    { weight: 2, arbitrary: FastCheck.integer({ min: 0, max: 7 }) },
    { weight: 1, arbitrary: FastCheck.integer({ min: -20, max: -5 }) }
  ),
  days: FastCheck.integer({ min: 1, max: 20 }),
  quantity: FastCheck.constantFrom(undefined, 1, 2, 3)
})

const date = (days: number): string => LocalDate.format(LocalDate.addDays(today, days))

const createOffering = (
  call: Call,
  { active, booked, sessions, weekdays, ...offering }: typeof outfit extends FastCheck.Arbitrary<infer O> ? O : never
) =>
  Effect.gen(function*() {
    const { id } = yield* call("offerings.create", { ...offering, name: "Raft", max_per_booking: 3 })
    if (offering.kind !== "class") {
      const hours = weekdays.map((weekday) => ({ weekday, start_time: "09:00", end_time: "12:00" }))
      yield* call("offerings.set_hours", { id, hours })
    } else {
      for (const day of sessions) {
        yield* call("sessions.create", { offering_id: id, starts_at: `${date(day)}T20:00:00Z` })
      }
    }
    const { data } = yield* call("availability.get", { id, from: date(0), to: date(60) })
    for (const { quantity, slot } of booked) {
      const freeSlot = data[slot]
      if (freeSlot === undefined) continue
      const { session_id, starts_at } = freeSlot
      const order = { offering_id: id, customer: { email: "ann@example.com" }, quantity }
      // Some orders are refused because the slot is full.
      yield* Effect.ignore(
        call("bookings.create", { ...order, ...session_id === undefined ? { starts_at } : { session_id } })
      )
    }
    if (!active) yield* call("offerings.update", { id, active })
    return id
  })

describe("availability", () => {
  it("if nothing is available, returns the reason and the next available start time", async () => {
    const hits: Record<string, number> = {}
    await FastCheck.assert(
      FastCheck.asyncProperty(
        outfit,
        FastCheck.array(wish, { minLength: 4, maxLength: 4 }),
        (outfit, wishes) =>
          Effect.gen(function*() {
            const clock = yield* SettableClock.make(start)
            yield* Effect.gen(function*() {
              const { id: orgId } = yield* (yield* Orgs).create({ name: "Salida", timezone: "America/Denver" })
              const { run } = yield* Registry
              const actor = makeHostActor({ orgId })
              const call: Call = (name, input) =>
                Effect.orDie(Effect.provideService(run(name, input), Actor, actor)) as Effect.Effect<Answer>
              const id = yield* createOffering(
                (name, input) =>
                  name === "bookings.create"
                    ? Effect.catchAllDefect(call(name, input), () => Effect.succeed({ id: "", data: [] }))
                    : call(name, input),
                outfit
              )
              for (const { days, from, quantity } of wishes) {
                const query = { id, ...(quantity === undefined ? {} : { quantity }) }
                const to = from + days - 1
                const { data, nothing_free } = yield* call("availability.get", {
                  ...query,
                  from: date(from),
                  to: date(to)
                })
                const needed = outfit.kind === "appointment" ? 1 : quantity ?? 1
                const isFree = ({ remaining }: Slot) => remaining >= needed
                assert.strictEqual(nothing_free === undefined, data.some(isFree))
                if (nothing_free === undefined) continue
                const { because, next } = nothing_free
                hits[because] = (hits[because] ?? 0) + 1
                const first = Math.max(0, to + 1)
                const { data: ahead } = yield* call("availability.get", {
                  ...query,
                  from: date(first),
                  to: date(first + 185)
                })
                assert.deepStrictEqual(next, ahead.find(isFree))
                if (because === "full") assert.isNotEmpty(data)
                else assert.isEmpty(data)
                // Changing the setting that the cause names must free up a slot.
                const mended = {
                  paused: { active: true },
                  notice: { min_notice_minutes: 0 },
                  horizon: { max_advance_days: 730, min_notice_minutes: 0 }
                }[because]
                if (mended === undefined || because === "paused") continue
                yield* call("offerings.update", { id, ...mended })
                const after = yield* call("availability.get", { ...query, from: date(from), to: date(to) })
                assert.isNotEmpty(after.data, because)
                const { max_advance_days, min_notice_minutes } = outfit
                yield* call("offerings.update", { id, max_advance_days, min_notice_minutes })
              }
            }).pipe(Effect.provide(Layer.provide(Layer.fresh(engine), Layer.setClock(clock))), Effect.withClock(clock))
          }).pipe(Effect.scoped, Effect.runPromise)
      ),
      { numRuns: 150 }
    )
    assert.hasAllKeys(hits, ["paused", "full", "notice", "horizon", "past", "nothing_scheduled", "too_long", "closed"])
  })

  it("lists the same slots for a large party as for one guest", async () => {
    const clock = await Effect.runPromise(SettableClock.make(start))
    await Effect.gen(function*() {
      const { id: orgId } = yield* (yield* Orgs).create({ name: "Salida", timezone: "America/Denver" })
      const { run } = yield* Registry
      const actor = makeHostActor({ orgId, scopes: ["read", "write"] })
      const call = (name: string, input: object) =>
        Effect.provideService(run(name, input), Actor, actor) as Effect.Effect<Answer, Refusal>
      for (const kind of ["class", "appointment", "rental"] as const) {
        const { id } = yield* call("offerings.create", { name: "Raft", kind, capacity: 3, max_per_booking: 5 })
        if (kind === "class") yield* call("sessions.create", { offering_id: id, starts_at: `${date(3)}T20:00:00Z` })
        const availability = yield* call("availability.get", { id })
        assert.isNotEmpty(availability.data)
        const party = yield* call("availability.get", { id, quantity: 4 })
        assert.deepStrictEqual(party.data, availability.data, kind)
        // Four guests exceed a capacity of three. An appointment takes one unit no matter how large the party is.
        assert.strictEqual(party.nothing_free?.because, kind === "appointment" ? undefined : "full")
        const { message } = yield* Effect.flip(call("availability.get", { id, quantity: 6 }))
        assert.strictEqual(message, "quantity: must be at most 5, the maximum per booking")
      }
    }).pipe(
      Effect.provide(Layer.provide(Layer.fresh(engine), Layer.setClock(clock))),
      Effect.withClock(clock),
      Effect.runPromise
    )
  })
})
