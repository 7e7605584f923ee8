/** Counts the responses received by all guests. */
import type { Observer } from "./guest.ts"

export interface Counts {
  readonly acknowledged: number
  readonly refused: number
  /** Attempts that were retried after a lost connection, a timeout, or a 503. */
  readonly retried: number
  /** Bookings created by an attempt that got no response, and then returned by a retry. */
  readonly recovered: number
}

export interface Counter extends Observer {
  readonly counts: Counts
  /** Resolves after this many more changes are acknowledged. */
  readonly acknowledgedMore: (changes: number) => Promise<void>
  /** Resolves with the milliseconds until a request sent after this call is acknowledged. */
  readonly blow: () => Promise<number>
}

export const makeCounter = (): Counter => {
  const counts = { acknowledged: 0, refused: 0, retried: 0, recovered: 0 }
  const listeners = new Set<(sentAt: number) => void>()
  /** Resolves on the first acknowledged change that `isIt` accepts. */
  const next = (isIt: (sentAt: number) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const ask = (sentAt: number) => {
        if (!isIt(sentAt)) return
        listeners.delete(ask)
        resolve()
      }
      listeners.add(ask)
    })
  return {
    counts,
    acknowledged: (sentAt) => {
      counts.acknowledged++
      for (const ask of listeners) ask(sentAt)
    },
    recovered: () => void counts.recovered++,
    refused: () => void counts.refused++,
    retried: (attempts) => void (counts.retried += attempts),
    acknowledgedMore: (changes) => {
      const enough = counts.acknowledged + changes
      return next(() => counts.acknowledged >= enough)
    },
    blow: async () => {
      const struckAt = performance.now()
      await next((sentAt) => sentAt > struckAt)
      return performance.now() - struckAt
    }
  }
}
