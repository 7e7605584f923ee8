/** One of the program's rules rejects a booking, and the crew is notified of bookings. */
import { Actor } from "@trailbook/core/actor"
import { availabilityGet } from "@trailbook/core/availability"
import { bookingsCreate } from "@trailbook/core/booking"
import { SubscriptionStore } from "@trailbook/core/event"
import { Mailer } from "@trailbook/core/mail"
import { offeringsCreate } from "@trailbook/core/offering"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { call } from "trailbook/effect"
import { assert, it } from "vitest"
import { outfitter } from "../engine.ts"
import { engine, worker } from "../hooks.ts"

/** The crew is notified of events that are stored after the worker's first poll. */
const awaitPolling = Effect.flatMap(
  Effect.all([Actor, SubscriptionStore]),
  ([{ orgId }, { waiting }]) =>
    Effect.repeat(waiting([{ orgId, name: "crew" }]), {
      schedule: Schedule.spaced("10 millis"),
      until: ([place]) => place === undefined || place.cursor !== null
    })
)

it("the program refuses large groups, and notifies the crew of small groups", async () => {
  const program = Effect.gen(function*() {
    const notification = yield* Deferred.make<unknown>()
    const silent = Layer.succeed(Mailer, Mailer.of({ send: () => Effect.succeed({ reportRequested: false }) }))
    yield* Layer.build(Layer.provide(worker(({ data }) => Effect.asVoid(Deferred.succeed(notification, data))), silent))
    yield* awaitPolling
    const { id } = yield* call(offeringsCreate, { name: "Raft", kind: "rental", capacity: 12 })
    const { data } = yield* call(availabilityGet, { id })
    const book = (quantity: number) =>
      call(bookingsCreate, {
        offering_id: id,
        starts_at: data.at(-1)?.starts_at ?? "",
        quantity,
        customer: { email: "ada@example.com" }
      })
    const refusal = yield* Effect.flip(book(7))
    assert.isTrue(refusal.kind === "conflict" && refusal.code === "guide_needed")
    const booking = yield* book(6)
    assert.deepInclude(yield* Deferred.await(notification), { id: booking.id, quantity: 6 })
  })
  await Effect.runPromise(
    Effect.scoped(program).pipe(Effect.provide(Layer.provideMerge(outfitter, engine)))
  )
})
