import { type Refusal, unavailable } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"

/**
 * Memory that bodies may take together, of all handlers in this process, for they
 * share it: who begins hundreds and ends none would fill it.
 *
 * @category models
 */
export interface Room {
  /** Takes so many bytes for as long as the work lasts, or refuses where they are not there. */
  readonly within: <A, E, R>(
    bytes: number,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | Refusal<"unavailable">, R>
}

/**
 * @category constructors
 */
export const make = (bytes: number, crowded: string): Room => {
  const room = { bytes }
  const refused = unavailable(crowded)
  return {
    within: <A, E, R>(wanted: number, work: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | Refusal<"unavailable">, R> => {
        if (room.bytes < wanted) return refused
        room.bytes -= wanted
        return Effect.ensuring(
          work,
          Effect.sync(() => {
            room.bytes += wanted
          })
        )
      })
  }
}
