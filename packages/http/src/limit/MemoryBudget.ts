import { type Refusal, refuseWithRetryAfter, unavailable } from "@trailbook/core"
import * as Effect from "effect/Effect"

/**
 * Limits the memory used for request bodies. All handlers in the process share the budget. Without this limit, a caller
 * could exhaust the process's memory by starting hundreds of uploads and never finishing them.
 */
export interface MemoryBudget {
  /**
   * Runs work that reserves memory as bytes arrive. The memory is released when the work ends. A stalled body takes up
   * memory only for the bytes that have arrived. A single owner, such as a network or an org, can use at most a quarter
   * of the budget.
   */
  readonly withReservation: <A, E, R>(
    owners: ReadonlyArray<string>,
    work: (take: ByteReserver) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

/** Reserves more bytes, or returns a refusal if they are not available. */
export type ByteReserver = (bytes: number) => Refusal | undefined

export const make = (total: number, message: string): MemoryBudget => {
  let freeBytes = total
  const bytesByOwner = new Map<string, number>()
  const add = (owner: string, change: number): void => {
    const bytes = (bytesByOwner.get(owner) ?? 0) + change
    if (bytes === 0) bytesByOwner.delete(owner)
    else bytesByOwner.set(owner, bytes)
  }
  return {
    withReservation: (owners, work) =>
      Effect.suspend(() => {
        let takenBytes = 0
        const take: ByteReserver = (bytes) => {
          if (owners.some((owner) => (bytesByOwner.get(owner) ?? 0) + bytes > total / 4)) return ownerCrowded
          if (freeBytes < bytes) return unavailable(message, retrySeconds)
          freeBytes -= bytes
          takenBytes += bytes
          for (const owner of owners) add(owner, bytes)
          return undefined
        }
        return Effect.ensuring(
          work(take),
          Effect.sync(() => {
            freeBytes += takenBytes
            for (const owner of owners) add(owner, -takenBytes)
          })
        )
      })
  }
}

const retrySeconds = 5

const ownerCrowded = refuseWithRetryAfter(retrySeconds, "rate_limited", retrySeconds)

/**
 * The largest form contains five 10 MiB files and 64 KiB of fields and headers. One such form fits in a quarter of the
 * budget.
 */
const largestForm = 50 * 1024 * 1024 + 64 * 1024

/** The budget shared by all forms with files. */
export const uploadMemoryBudget: MemoryBudget = make(
  4 * largestForm,
  "Too many concurrent file uploads. Retry the request."
)
