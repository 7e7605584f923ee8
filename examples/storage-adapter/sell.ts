/**
 * Sells the seats on one departure one by one and prints each sale. Every tenth guest is then erased. The program can
 * be killed at any time and restarted with the same file. It then requests the same seats with the same idempotency
 * keys, so each seat is still sold exactly once.
 */
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { BookingView } from "@trailbook/core/booking"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { Orgs, OrgStore } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { layerNone } from "@trailbook/core/webhook"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layer } from "./src/JournalStorage.ts"

const seats = 500

const call = <A, I>(name: string, input: unknown, answer: Schema.Schema<A, I>) =>
  Effect.flatMap(Registry, ({ run }) => run(name, input)).pipe(Effect.flatMap(Schema.decodeUnknown(answer)))

const Some = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String, offering_id: Schema.String })) })

/** Returns the existing departure, or creates one that starts a day from now. */
const departure = Effect.gen(function*() {
  const { data: [existing] } = yield* call("sessions.list", {}, Some)
  if (existing !== undefined) return existing
  const offering = { kind: "class", name: "Browns Canyon", capacity: seats }
  const { id } = yield* call("offerings.create", offering, Schema.Struct({ id: Schema.String }))
  const starts_at = Instant.format(Instant.addMinutes(yield* currentTime, 24 * 60))
  const { data: [session] } = yield* call("sessions.create", { offering_id: id, starts_at }, Some)
  return yield* Effect.fromNullable(session)
})

const sell = (session: Effect.Effect.Success<typeof departure>, seat: number) =>
  Effect.gen(function*() {
    const order = {
      offering_id: session.offering_id,
      session_id: session.id,
      customer: { email: `guest${seat}@example.com`, name: `Guest ${seat}` },
      idempotency_key: `00000000-0000-4000-8000-${String(seat).padStart(12, "0")}`
    }
    const { customer, id } = yield* call("bookings.create", order, BookingView)
    console.log(`seat ${seat} sold ${id}`)
    if (seat % 10 !== 0) return
    yield* call("customers.delete", { id: customer.id }, Schema.Unknown)
    console.log(`seat ${seat} forgotten ${customer.id}`)
  })

const program = Effect.gen(function*() {
  const [existingOrg] = yield* (yield* OrgStore).all
  const { id: orgId } = existingOrg ?? (yield* (yield* Orgs).create({ name: "River", timezone: "America/Denver" }))
  yield* Effect.gen(function*() {
    const session = yield* departure
    for (let seat = 1; seat <= seats; seat++) yield* sell(session, seat)
  }).pipe(Effect.provideService(Actor, makeHostActor({ orgId })))
})

const file = process.argv[2] ?? "river.journal"

// Transactions run one after another, so the engine uses one lane. Requests that arrive during a transaction go into
// the next batch.
const engine = coreLayer({ batches: { concurrency: 1, maxBatchSize: 64 } }).pipe(
  Layer.provide(Layer.mergeAll(NodeIds.layer, Payments.layerNone, layerNone)),
  Layer.provideMerge(layer(file))
)

await Effect.runPromise(Effect.provide(program, engine))
