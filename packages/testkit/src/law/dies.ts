import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { assert } from "vitest"

/** Asserts that the work dies. */
export const dies = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  why = "the invalid write was stored"
): Effect.Effect<void, never, R> =>
  Effect.map(
    Effect.exit(work),
    (exit) => assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), why)
  )
