/** Books a raft trip with an engine's services, in a program that consists of layers. */
import { availabilityGet } from "@trailbook/core/availability"
import { bookingsCreate } from "@trailbook/core/booking"
import { offeringsCreate } from "@trailbook/core/offering"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BookingEngine, call, catchRefusalCode, OrgActor } from "trailbook/effect"

const engine = BookingEngine.layerConfig({
  database: Config.withDefault(Config.string("TRIP_DATABASE"), "sqlite:inLayers.sqlite")
})
const outfitter = OrgActor.layer({ name: "Salida River Co.", timezone: "America/Denver" })

const program = Effect.gen(function*() {
  const raft = yield* call(offeringsCreate, { name: "Half-day raft trip", kind: "rental", capacity: 8 })
  const { data } = yield* call(availabilityGet, { id: raft.id, quantity: 2 })
  return yield* call(bookingsCreate, {
    offering_id: raft.id,
    starts_at: data.at(-1)?.starts_at ?? "",
    quantity: 2,
    customer: { email: "ada@example.com", name: "Ada" }
  })
}).pipe(
  Effect.map(({ offering, status }) => `${offering.name}: ${status}`),
  catchRefusalCode("slot_full", ({ message }) => Effect.succeed(message)),
  Effect.provide(Layer.provideMerge(outfitter, engine))
)

process.stdout.write(`${await Effect.runPromise(program)}\n`)
