/**
 * Tests linearizability. Concurrent clients must receive responses as if their calls had run sequentially. The test
 * plays random histories against a storage adapter and searches for an order that explains each history.
 */
import { describe, it } from "@effect/vitest"
import type { Storage } from "@trailbook/core/storage"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { checkHistory, isViolation } from "./checkHistory.ts"
import { formatExplanation } from "./formatExplanation.ts"
import type { History } from "./History.ts"
import { type RecordedHistory, recordHistory, type ServerOptions } from "./recordHistory.ts"
import { makeScript } from "./script.ts"
import { shrinkHistory } from "./shrinkHistory.ts"

export interface LinearizabilityOptions {
  /** The number of histories. Default: 200. */
  readonly runs?: number
  /** The first seed. A failure reports the seed that replays it. Default: random. */
  readonly seed?: number
  /** How bookings are batched. Default: as in production, two lanes with up to 64 requests per batch. */
  readonly batches?: ServerOptions["batches"]
  /** The number of servers that share the storage. Default: 2. */
  readonly processes?: number
  /** Whether the servers' clocks differ and jump. Default: false. */
  readonly clocksDiffer?: boolean
  readonly timeoutMs?: number
}

/**
 * The number of histories that share one storage instance. Creating storage takes time, but storage slows down as it
 * fills up.
 */
const historiesPerStorage = 20

/**
 * Registers a test of a storage adapter. Each build of `layer` must create empty storage, which the histories of
 * several orgs share.
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
        ? "gives concurrent calls results that match some sequential order, even if clocks differ or are set back"
        : "gives concurrent calls results that match some sequential order",
      () =>
        Effect.gen(function*() {
          const first = options.seed ?? (yield* Random.nextIntBetween(0, 1_000_000))
          for (let at = 0; at < runs; at += historiesPerStorage) {
            const batch = checkLinearizable({
              ...options,
              seed: first + at,
              runs: Math.min(historiesPerStorage, runs - at)
            })
            yield* Effect.provide(batch, Layer.fresh(layer))
          }
        }),
      timeoutMs
    )
  })
}

/**
 * Plays random histories against a storage adapter, with consecutive seeds. Dies with the first history that cannot be
 * explained. The message contains the shrunk history and the seed that replays it.
 */
export const checkLinearizable = (options: RunOptions): Effect.Effect<void, never, Storage> =>
  Effect.gen(function*() {
    for (let seed = options.seed; seed < options.seed + options.runs; seed++) {
      const { defects: [defect], histories } = yield* recordHistories(seed, options)
      if (defect !== undefined) {
        return yield* Effect.dieMessage(
          `A call failed because of a defect in the storage.\n\n${Cause.pretty(defect)}${reproduceText(seed)}`
        )
      }
      const unexplained = histories.find((history) => checkHistory(history)._tag !== "Linearizable")
      if (unexplained !== undefined) {
        return yield* Effect.dieMessage(`${explainHistory(unexplained)}${reproduceText(seed)}`)
      }
    }
  })

/**
 * Plays histories like {@link checkLinearizable}, but returns the first one that cannot be explained and ignores
 * defects. Use it for negative controls: unguarded storage adapters that must produce such a history.
 */
export const findUnexplainedHistory = (options: RunOptions): Effect.Effect<History | undefined, never, Storage> =>
  Effect.gen(function*() {
    for (let seed = options.seed; seed < options.seed + options.runs; seed++) {
      const { histories } = yield* recordHistories(seed, options)
      const unexplained = histories.find((history) => isViolation(checkHistory(history)))
      if (unexplained !== undefined) return unexplained
    }
    return undefined
  })

type RunOptions = LinearizabilityOptions & { readonly runs: number; readonly seed: number }

const recordHistories = (
  seed: number,
  { clocksDiffer = false, batches = { concurrency: 2, maxBatchSize: 64 }, processes = 2 }: LinearizabilityOptions
): Effect.Effect<RecordedHistory, never, Storage> =>
  recordHistory(makeScript(seed), { clocksDiffer, batches, processes }).pipe(
    Effect.timeoutFail({
      duration: "60 seconds",
      onTimeout: () => `The clients are deadlocked.${reproduceText(seed)}`
    }),
    Effect.catchAll(Effect.dieMessage),
    // Sleep once, because fibers that yield only to each other never return to the event loop, which the test runner
    // needs.
    Effect.zipLeft(Effect.sleep(0))
  )

const reproduceText = (seed: number): string => `\n\nTo reproduce: { seed: ${seed}, runs: 1 }`

const explainHistory = (history: History): string => {
  if (!isViolation(checkHistory(history))) return "This history has too many possible call orders to check."
  const shrunk = shrinkHistory(history)
  return formatExplanation(shrunk, checkHistory(shrunk))
}
