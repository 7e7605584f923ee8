import { type Refusal, refuseFor, unavailable } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"

/**
 * Memory that bodies may take together, of all handlers in this process, for they
 * share it: who begins hundreds and ends none would fill it.
 */
export interface MemoryBudget {
  /** Takes so many bytes for as long as the work lasts, or refuses where they are not there. */
  readonly within: <A, E, R>(
    bytes: number,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | Refusal<"unavailable">, R>
  /**
   * Runs work that takes room as its bytes arrive, and returns all of it at the end. A body that stalls holds only what
   * was received of it. One owner, such as a network or an outfitter, takes at most a quarter of the room.
   */
  readonly growing: <A, E, R>(
    owners: ReadonlyArray<string>,
    work: (take: Take) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

/** Takes so many bytes more. Returns the refusal if they are not there. */
export type Take = (bytes: number) => Refusal | undefined

export const make = (bytes: number, crowded: string): MemoryBudget => {
  const room = { bytes }
  const refused = unavailable(crowded)
  const total = bytes
  const held = new Map<string, number>()
  const add = (owner: string, change: number): void => {
    const left = (held.get(owner) ?? 0) + change
    if (left === 0) held.delete(owner)
    else held.set(owner, left)
  }
  return {
    growing: (owners, work) =>
      Effect.suspend(() => {
        let taken = 0
        const take: Take = (wanted) => {
          if (owners.some((owner) => (held.get(owner) ?? 0) + wanted > total / 4)) return ownerCrowded
          if (room.bytes < wanted) return unavailable(crowded, retrySeconds)
          room.bytes -= wanted
          taken += wanted
          for (const owner of owners) add(owner, wanted)
          return undefined
        }
        return Effect.ensuring(
          work(take),
          Effect.sync(() => {
            room.bytes += taken
            for (const owner of owners) add(owner, -taken)
          })
        )
      }),
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

const retrySeconds = 5

const ownerCrowded = refuseFor(retrySeconds, "rate_limited", retrySeconds)

/** The largest form has five files of 10 MiB, and 64 KiB of fields and headers. A quarter of the room holds one. */
const largestForm = 50 * 1024 * 1024 + 64 * 1024

/** The room of all forms that carry files. */
export const files: MemoryBudget = make(
  4 * largestForm,
  "Too many concurrent file uploads. Retry the request."
)
