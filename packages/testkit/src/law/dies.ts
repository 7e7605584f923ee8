import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { assert } from "vitest"

/** What no storage does ends in a defect. */
export const dies = <A, E, R>(work: Effect.Effect<A, E, R>, why = "it was stored"): Effect.Effect<void, never, R> =>
  Effect.map(
    Effect.exit(work),
    (exit) => assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), why)
  )
