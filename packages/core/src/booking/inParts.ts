/**
 * Work that is too large for one unit, in parts. Each part is a unit of work by
 * itself and writes down that it was done, so that whoever comes next goes on from
 * there. Between two of them others get as much time as the part has taken: nobody
 * waits longer than for one.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { monotonic } from "../time/monotonic.ts"

/**
 * Runs parts one after the other, each from where the one before it ended, until
 * one says that nothing is left or, asked between two of them, it is `over`. Says
 * whether it came to the end.
 *
 * @category running
 */
export const inParts = <At, E, R>(
  first: At,
  part: (at: At) => Effect.Effect<At | undefined, E, R>,
  over: Effect.Effect<boolean>
): Effect.Effect<boolean, E, R> =>
  Effect.gen(function*() {
    let at: At | undefined = first
    for (;;) {
      const begunAt = yield* monotonic
      at = yield* part(at)
      if (at === undefined) return true
      if (yield* over) return false
      yield* Effect.sleep((yield* monotonic) - begunAt)
    }
  })

/**
 * How many rows a part changes. What is no larger is done in one unit. A row may hold
 * 20 KB of what an outfitter noted, so 25 are some 20 ms in which SQLite does nothing
 * else; whoever books waits for two parts at most, for two requests may be at it.
 *
 * @category references
 */
export class PartSize extends Context.Reference<PartSize>()("@trailbook/core/PartSize", {
  defaultValue: () => 25
}) {}

/**
 * Whether so many milliseconds have passed since now.
 *
 * @category effects
 */
export const passedSinceNow = (ms: number): Effect.Effect<Effect.Effect<boolean>> =>
  Effect.map(monotonic, (now) => Effect.map(monotonic, (then) => then - now >= ms))
