import { type Refusal, refuseFor, unavailable } from "@trailbook/core"
import * as Effect from "effect/Effect"

/**
 * Limits the memory used for request bodies. All handlers in the process share the budget. Without this limit, a caller
 * could exhaust the memory by starting hundreds of uploads without finishing them.
 */
export interface MemoryBudget {
  /**
   * Runs work that reserves memory as bytes arrive. The memory is released when the work ends. A stalled body occupies
   * only the memory for the bytes that have arrived. A single owner, such as a network or an org, can use at most a
   * quarter of the budget.
   */
  readonly growing: <A, E, R>(
    owners: ReadonlyArray<string>,
    work: (take: Take) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

/** Reserves more bytes, or returns a refusal if they are not available. */
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
 * The largest form contains five 10 MiB files and 64 KiB of fields and headers. One such form fits in a quarter of the
 * budget.
 */
const largestForm = 50 * 1024 * 1024 + 64 * 1024

/** The budget shared by all forms with files. */
export const files: MemoryBudget = make(
  4 * largestForm,
  "Too many concurrent file uploads. Retry the request."
)
