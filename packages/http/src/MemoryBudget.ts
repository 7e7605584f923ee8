import { type Refusal, refuseFor, unavailable } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"

/**
 * Limits the memory for request bodies. All handlers of the process share the budget. Without it, a caller could
 * exhaust the memory by starting hundreds of uploads and finishing none.
 */
export interface MemoryBudget {
  /**
   * Runs work that reserves memory as its bytes arrive, and releases the memory when the work ends. A stalled body
   * occupies only the bytes that have arrived. An owner, such as a network or an org, can take at most a quarter of the
   * budget.
   */
  readonly growing: <A, E, R>(
    owners: ReadonlyArray<string>,
    work: (take: Take) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

/** Reserves additional bytes. Returns a refusal if they are not available. */
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
 * The largest form has five files of 10 MiB, and 64 KiB of fields and headers. One such form fits into a quarter of the
 * budget.
 */
const largestForm = 50 * 1024 * 1024 + 64 * 1024

/** The budget that all forms with files share. */
export const files: MemoryBudget = make(
  4 * largestForm,
  "Too many concurrent file uploads. Retry the request."
)
