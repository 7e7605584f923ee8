/** Runs the contract for storage adapters without a test runner. */
import type { Storage } from "@trailbook/core/storage"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { assertAtLeastOne } from "./assertAtLeastOne.ts"
import type { Law, LawConditions } from "./law/Law.ts"
import { laws as allLaws } from "./laws.ts"

export interface LawOptions {
  /**
   * The storage that a model test treats as correct by definition. Use the memory adapter. Comparing an adapter with
   * itself only shows that it is deterministic.
   */
  readonly reference: Layer.Layer<Storage>
  /** The laws to test. Default: all laws for storage adapters. */
  readonly laws?: ReadonlyArray<Law>
  /** The number of generated cases per law. Default: 20. */
  readonly runs?: number
  /** The seed that replays an earlier run's cases. A failed law reports its seed. Default: random. */
  readonly seed?: number
}

export interface LawResult extends Pick<Law, "key" | "title"> {
  /** The broken rule, the smallest failing case, and how to reproduce it. Undefined if the law holds. */
  readonly failure: string | undefined
}

/** Returns the conditions under which the laws run. Throws if an option is out of range. */
export const makeLawConditions = ({ reference, runs = 20, seed }: LawOptions): LawConditions => {
  assertAtLeastOne("runs", runs)
  return { runs, shrink: true, reference: Layer.fresh(reference), ...(seed === undefined ? {} : { seed }) }
}

/**
 * Runs the laws one after the other and returns a result for each. Each build of `layer` must create empty storage, and
 * every law uses its own build.
 *
 * @example
 * import * as Memory from "@trailbook/memory"
 * import { runLaws } from "@trailbook/testkit"
 *
 * const results = await runLaws(MyStorage.layer, { reference: Memory.layer })
 * for (const { failure } of results) if (failure !== undefined) console.error(failure)
 */
export const runLaws = async <E>(
  layer: Layer.Layer<Storage, E>,
  options: LawOptions
): Promise<ReadonlyArray<LawResult>> => {
  const conditions = makeLawConditions(options)
  const results: Array<LawResult> = []
  for (const { check, key, title } of options.laws ?? allLaws) {
    const exit = await Effect.runPromiseExit(Effect.provide(check(conditions), Layer.fresh(layer)))
    results.push({ key, title, failure: Exit.isSuccess(exit) ? undefined : toMessage(exit.cause) })
  }
  return results
}

const toMessage = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}
