/**
 * What every storage adapter must do, as tests. An adapter's whole test is one
 * call.
 */
import { describe, it } from "@effect/vitest"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { atLeastOne } from "./atLeastOne.ts"
import type { Conditions, Law } from "./law/Law.ts"
import { laws } from "./laws.ts"

export interface Options {
  /**
   * Whose answers are right in a model run: the memory adapter's. An adapter that
   * is compared with itself shows only that it answers alike twice.
   */
  readonly reference: Layer.Layer<Storage>
  /**
   * Keys of laws that the adapter is known to break. They run all the same and
   * are expected to fail, so that a gap which was closed is noticed. Where a
   * law meets the gap in some of its cases only, a few `runs` may all miss it and
   * make it look closed: give a `seed` with which it is met.
   */
  readonly knownGaps?: ReadonlyArray<Law["key"]>
  /** How many generated cases a law tries; 20 when left out. */
  readonly runs?: number
  /** Repeats the cases of an earlier run, as a failing law names it; others every time when left out. */
  readonly seed?: number
  readonly timeoutMs?: number
}

/**
 * Registers a test for each law. `layer` makes an empty storage whenever it is
 * built; every law has one of its own.
 */
export const suite = <E>(name: string, layer: Layer.Layer<Storage, E>, options: Options): void => {
  const { knownGaps = [], reference, runs = 20, seed, timeoutMs = 60_000 } = options
  atLeastOne("runs", runs)
  const conditions: Conditions = {
    runs,
    shrink: true,
    reference: Layer.fresh(reference),
    ...(seed === undefined ? {} : { seed })
  }
  const unknown = knownGaps.filter((gap) => laws.every(({ key }) => key !== gap))
  if (unknown.length > 0) throw new Error(`There is no law ${unknown.join(", ")}.`)

  describe(name, () => {
    for (const { check, key, says } of laws) {
      const test = knownGaps.includes(key) ? it.live.fails : it.live
      test(`${key}: ${says}`, () => Effect.provide(check(conditions), Layer.fresh(layer)), timeoutMs)
    }
  })
}
