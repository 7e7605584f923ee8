import { type Refusal, refuseFor, unavailable } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"

/**
 * The memory for request bodies, shared by all handlers of the process. Without it, a caller that starts hundreds of
 * uploads and finishes none could exhaust the memory.
 */
export interface MemoryBudget {
  /**
   * Runs work that reserves memory as its bytes arrive, and releases the memory afterwards. A stalled body only holds
   * the bytes that were received. One owner, such as a network or an org, can take at most a quarter of the budget.
   */
  readonly growing: <A, E, R>(
    owners: ReadonlyArray<string>,
    work: (take: Take) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

/** Reserves additional bytes. Returns the refusal if they are not available. */
export type Take = (bytes: number) => Refusal | undefined

export const make = (total: number, crowded: string): MemoryBudget => {
  let free = total
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
          if (free < wanted) return unavailable(crowded, retrySeconds)
          free -= wanted
          taken += wanted
          for (const owner of owners) add(owner, wanted)
          return undefined
        }
        return Effect.ensuring(
          work(take),
          Effect.sync(() => {
            free += taken
            for (const owner of owners) add(owner, -taken)
          })
        )
      })
  }
}

const retrySeconds = 5

const ownerCrowded = refuseFor(retrySeconds, "rate_limited", retrySeconds)

/**
 * The largest form has five files of 10 MiB, and 64 KiB of fields and headers. A quarter of the budget holds one such
 * form.
 */
const largestForm = 50 * 1024 * 1024 + 64 * 1024

/** The shared budget of all forms with files. */
export const files: MemoryBudget = make(
  4 * largestForm,
  "Too many concurrent file uploads. Retry the request."
)
