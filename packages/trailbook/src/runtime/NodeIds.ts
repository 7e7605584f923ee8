import { Ids } from "@trailbook/core/port/Ids"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeIds } from "./makeIds.ts"
import { randomPool } from "./randomPool.ts"

/**
 * Ids, references, handles and secrets from the system's random generator, and the
 * moments in ids from the clock of whoever builds it.
 */
export const layer: Layer.Layer<Ids> = Layer.effect(
  Ids,
  Effect.map(Effect.clock, (clock) => makeIds({ bytes: randomPool(), now: () => clock.unsafeCurrentTimeMillis() }))
)
