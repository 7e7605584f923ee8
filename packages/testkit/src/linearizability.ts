/**
 * Whatever many clients do at once, they are answered as if they had come one
 * after the other: random histories over a storage, and a checker that looks for
 * the order which explains them.
 */
import { describe, it } from "@effect/vitest"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { check, isWrong } from "./linearizability/check.ts"
import { explain } from "./linearizability/explain.ts"
import type { History } from "./linearizability/History.ts"
import { record, type RecordedHistory, type Servers } from "./linearizability/record.ts"
import { script } from "./linearizability/script.ts"
import { shrinkHistory } from "./linearizability/shrink.ts"

export interface LinearizabilityOptions {
  /** How many histories; 200 when left out. */
  readonly runs?: number
  /** Where to begin, as a failure names it; somewhere else every time when left out. */
  readonly seed?: number
  /** How bookings are sold, as in production; on two lanes, up to 64 together, when left out. */
  readonly desk?: Servers["desk"]
  /** How many servers share the storage; two when left out. */
  readonly processes?: number
  /** Whether the clocks of the servers differ and are set to and fro; not when left out. */
  readonly clocksDiffer?: boolean
  readonly timeoutMs?: number
}

/** So many histories share a storage: it takes time to make one, and more time the more there is in it. */
const sharing = 20

/**
 * Registers a test of a storage. `layer` makes an empty one whenever it is built;
 * histories of several orgs share it.
 */
export const linearizability = <E>(
  name: string,
  layer: Layer.Layer<Storage, E>,
  options: LinearizabilityOptions = {}
): void => {
  const { runs = 200, timeoutMs = 900_000 } = options
  describe(name, () => {
    it.live(
      options.clocksDiffer === true
        ? "whatever happens at once is answered as if one came after the other, though clocks differ and are set back"
        : "whatever happens at once is answered as if one came after the other",
      () =>
        Effect.gen(function*() {
          const first = options.seed ?? (yield* Random.nextIntBetween(0, 1_000_000))
          for (let at = 0; at < runs; at += sharing) {
            const some = linearizable({ ...options, seed: first + at, runs: Math.min(sharing, runs - at) })
            yield* Effect.provide(some, Layer.fresh(layer))
          }
        }),
      timeoutMs
    )
  })
}

/**
 * Plays random histories on a storage, from one seed to the next. It dies with the
 * first that cannot be explained, made small, and with the seed that plays the
 * same script again.
 */
export const linearizable = (options: Playing): Effect.Effect<void, never, Storage> =>
  Effect.gen(function*() {
    for (let seed = options.seed; seed < options.seed + options.runs; seed++) {
      const { defects: [defect], histories } = yield* play(seed, options)
      if (defect !== undefined) {
        return yield* Effect.dieMessage(
          `A call died of what no storage may die of.\n\n${Cause.pretty(defect)}${again(seed)}`
        )
      }
      const wrong = histories.find((history) => check(history)._tag !== "Linearizable")
      if (wrong !== undefined) return yield* Effect.dieMessage(`${whyWrong(wrong)}${again(seed)}`)
    }
  })

/**
 * Plays like {@link linearizable} and answers with the first history that cannot
 * be explained, whatever its calls died of: for controls, storages without a guard
 * that must have one.
 */
export const findUnexplained = (options: Playing): Effect.Effect<History | undefined, never, Storage> =>
  Effect.gen(function*() {
    for (let seed = options.seed; seed < options.seed + options.runs; seed++) {
      const { histories } = yield* play(seed, options)
      const wrong = histories.find((history) => isWrong(check(history)))
      if (wrong !== undefined) return wrong
    }
    return undefined
  })

type Playing = LinearizabilityOptions & { readonly runs: number; readonly seed: number }

const play = (
  seed: number,
  { clocksDiffer = false, desk = { lanes: 2, batch: 64 }, processes = 2 }: LinearizabilityOptions
): Effect.Effect<RecordedHistory, never, Storage> =>
  record(script(seed), { clocksDiffer, desk, processes }).pipe(
    Effect.timeoutFail({ duration: "60 seconds", onTimeout: () => `The clients wait for each other.${again(seed)}` }),
    Effect.catchAll(Effect.dieMessage),
    // Fibers that give way to one another leave the event loop no turn, and whoever runs the tests waits for one.
    Effect.zipLeft(Effect.sleep(0))
  )

const again = (seed: number): string => `\n\nAgain: { seed: ${seed}, runs: 1 }`

const whyWrong = (history: History): string => {
  if (!isWrong(check(history))) return "A history has more orders than can be tried."
  const small = shrinkHistory(history)
  return explain(small, check(small))
}
