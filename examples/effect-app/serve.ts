import { offeringsCreate, offeringsList } from "@trailbook/core/offering"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { call } from "trailbook/effect"
import { server } from "./app.ts"
import { engine, outfitter, worker } from "./engine.ts"

/** Creates an offering for a new outfitter. */
const firstTrip = Layer.effectDiscard(Effect.gen(function*() {
  const { data } = yield* call(offeringsList, {})
  if (data.length > 0) return
  yield* call(offeringsCreate, { name: "Kayak for an hour", kind: "rental", duration_minutes: 60, capacity: 4 })
}))

const program = Layer.mergeAll(server, worker).pipe(
  Layer.provide(firstTrip),
  Layer.provide(outfitter),
  Layer.provide(engine)
)

const fiber = Layer.launch(program).pipe(
  Effect.tapErrorCause(Effect.logError),
  Effect.provide(Logger.json),
  Effect.runFork
)
fiber.addObserver((exit) => {
  process.exitCode = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause) ? 0 : 1
})
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => fiber.unsafeInterruptAsFork(FiberId.none))
