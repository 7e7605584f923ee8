import { Ids } from "@trailbook/core/port"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeIds, makeRandomByteSource } from "./makeIds.ts"

/**
 * Generates IDs, references, handles, and secrets from the system's random generator. Timestamps in IDs come from the
 * layer's `Clock`.
 */
export const layer: Layer.Layer<Ids> = Layer.effect(
  Ids,
  Effect.map(
    Effect.clock,
    (clock) => makeIds({ bytes: makeRandomByteSource(), now: () => clock.unsafeCurrentTimeMillis() })
  )
)
