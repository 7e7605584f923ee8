/** Tests batched bookings. A batch reads many rows together and adds its uncommitted changes to the stored counts. */
import type { Refusal } from "@trailbook/core"
import { Payments } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import { forAll } from "@trailbook/testkit/law/forAll"
import { law } from "@trailbook/testkit/law/Law"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { assert } from "vitest"

/** The index of a place: one of a class's two sessions, or one of two start times of an appointment or a rental. */
const place = FastCheck.nat(5)

const order = FastCheck.record({
  does: FastCheck.constant("book" as const),
  place,
  guest: FastCheck.nat(2),
  quantity: FastCheck.integer({ min: 1, max: 2 }),
  holdMinutes: FastCheck.constantFrom(undefined, 10, 60)
})

const change = FastCheck.record({
  does: FastCheck.constantFrom("confirm" as const, "cancel" as const, "move" as const),
  booking: FastCheck.nat(3),
  place
})

type OrderOrChange = typeof order extends FastCheck.Arbitrary<infer A> ? A | BookingChange : never
type BookingChange = typeof change extends FastCheck.Arbitrary<infer A> ? A : never

const rush = FastCheck.record({
  before: FastCheck.array(order, { minLength: 1, maxLength: 6 }),
  passes: FastCheck.constantFrom(0, 20),
  concurrent: FastCheck.array(FastCheck.oneof(order, { weight: 2, arbitrary: change }), { minLength: 2, maxLength: 8 })
}).map(({ concurrent, ...rush }) => ({
  ...rush,
  // Keep only the first move, because a second move of the same booking may be retried, and the retry runs after the
  // other requests.
  concurrent: concurrent.filter((one, at) =>
    one.does !== "move" || at === concurrent.findIndex(({ does }) => does === "move")
  )
}))

interface BookedOrder {
  readonly id: string
}

/** Reduces a result to the part that can be compared, because IDs are random. */
const answerText = (answer: Either.Either<unknown, Refusal>) =>
  Either.match(answer, {
    onLeft: ({ code }) => code,
    onRight: (booking) => {
      const { ends_at, previous, quantity, starts_at, status } = booking as Record<string, unknown>
      return { ends_at, quantity, starts_at, status, moved: previous !== undefined }
    }
  })

/** A starting number for handles, so that no two bookings in the same storage share a handle. */
let lastSeed = 50_000

/**
 * Runs a burst of requests against an org with three offerings in its own process. `concurrency` is the number of
 * concurrent requests.
 */
const runRush = (
  { before, passes, concurrent }: typeof rush extends FastCheck.Arbitrary<infer A> ? A : never,
  batches: Parameters<typeof Process.start>[0]["batches"],
  concurrency: "unbounded" | 1
) =>
  Effect.gen(function*() {
    const clock = yield* SettableClock.make(origin)
    return yield* Effect.withClock(
      Effect.gen(function*() {
        const { call } = yield* Effect.provide(Process.start({ seed: ++lastSeed, batches }), Payments.layerNone)
        const { id: orgId } = yield* createEmptyOrg
        const formatHour = (hours: number) => Instant.format(Instant.addMinutes(origin, hours * 60))
        const hours = Array.from({ length: 7 }, (_, weekday) => ({ weekday, start_time: "00:00", end_time: "24:00" }))
        const createOffering = (kind: string, capacity: number) =>
          Effect.map(
            call(orgId, "offerings.create", {
              name: kind,
              kind,
              capacity,
              slot_interval_minutes: kind === "class" ? null : 60
            }),
            (booking) => (booking as BookedOrder).id
          )
        const course = yield* createOffering("class", 2)
        const places: Array<
          { readonly offering_id: string; readonly session_id?: string; readonly starts_at?: string }
        > = []
        for (const hour of [48, 72]) {
          const response = yield* call(orgId, "sessions.create", { offering_id: course, starts_at: formatHour(hour) })
          const { data: [session] } = response as { readonly data: ReadonlyArray<BookedOrder> }
          if (session !== undefined) places.push({ offering_id: course, session_id: session.id })
        }
        for (const [kind, capacity] of [["appointment", 1], ["rental", 2]] as const) {
          const offering_id = yield* createOffering(kind, capacity)
          yield* call(orgId, "offerings.set_hours", { id: offering_id, hours })
          for (const hour of [48, 50]) places.push({ offering_id, starts_at: formatHour(hour) })
        }

        const knownBookings: Array<{ readonly id: string; readonly place: number }> = []
        const ask = (orderInput: OrderOrChange) =>
          Effect.suspend(() => {
            if (orderInput.does === "book") {
              const { guest, holdMinutes, quantity } = orderInput
              return call(orgId, "bookings.create", {
                ...places[orderInput.place],
                quantity,
                customer: { email: `guest${guest}@example.com` },
                ...(holdMinutes === undefined ? {} : { hold_minutes: holdMinutes })
              })
            }
            const { id, place } = knownBookings[orderInput.booking % knownBookings.length] ?? { id: "", place: 0 }
            // Move to the other place in the same offering.
            const { session_id, starts_at } = places[place % 2 === 0 ? place + 1 : place - 1] ?? {}
            const to = orderInput.does !== "move" ? {} : session_id === undefined ? { starts_at } : { session_id }
            return call(orgId, `bookings.${orderInput.does}`, { id, ...to })
          })
        for (const orderInput of before) {
          const result = yield* Effect.either(ask(orderInput))
          if (Either.isRight(result)) {
            knownBookings.push({ id: (result.right as BookedOrder).id, place: orderInput.place })
          }
        }
        yield* clock.advance(passes * 60_000)
        const answers = yield* Effect.forEach(
          concurrent.filter(({ does }) => does === "book" || knownBookings.length > 0),
          (orderInput) => Effect.either(ask(orderInput)),
          { concurrency }
        )
        const { data } = (yield* call(orgId, "bookings.list", {})) as { readonly data: ReadonlyArray<unknown> }
        const finalBookings = data.map((booking) => JSON.stringify(answerText(Either.right(booking)))).sort()
        return { answers: answers.map(answerText), left: finalBookings }
      }),
      clock
    )
  })

export const batchLaws = [
  law(
    "model/batches",
    "returns the same results for a batch as the reference adapter for single requests",
    (conditions) =>
      Effect.scoped(Effect.gen(function*() {
        const reference = yield* Layer.build(conditions.reference)
        // Linger briefly, so that requests that arrive at the same moment join the same batch.
        const linger = Effect.repeatN(Effect.yieldNow(), 20)
        yield* forAll(conditions, rush, (rush) =>
          Effect.scoped(Effect.gen(function*() {
            const here = yield* runRush(rush, { concurrency: 1, maxBatchSize: 64, linger }, "unbounded")
            const there = yield* Effect.provide(runRush(rush, "none", 1), reference)
            assert.deepStrictEqual(here, there)
          })))
      }))
  )
]
