/**
 * @since 0.1.0
 */
import { Ids } from "@trailbook/core/port/Ids"
import * as Layer from "effect/Layer"
import { makeIds } from "./makeIds.ts"
import { randomPool } from "./randomPool.ts"

/**
 * Ids, references, handles and secrets from the system's random generator.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Ids> = Layer.sync(Ids, () => makeIds({ bytes: randomPool(), now: Date.now }))
