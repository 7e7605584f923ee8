/** What all guests heard, counted. */
import type { Heard } from "./guest.ts"

export interface Counts {
  readonly acknowledged: number
  readonly refused: number
  /** Attempts without an answer, which were made again. */
  readonly retried: number
  /** Bookings that were made although nobody was told so; they came to light when they were asked for again. */
  readonly recovered: number
}

export interface Counter extends Heard {
  readonly counts: Counts
  /** Resolves when so many changes more were acknowledged. */
  readonly acknowledgedMore: (changes: number) => Promise<void>
  /** Resolves with the time until something is acknowledged that is asked for from now on. */
  readonly blow: () => Promise<number>
}

export const counting = (): Counter => {
  const counts = { acknowledged: 0, refused: 0, retried: 0, recovered: 0 }
  const waiting = new Set<(sentAt: number) => void>()
  /** Resolves at the first acknowledged change for which `isIt` says so. */
  const next = (isIt: (sentAt: number) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const ask = (sentAt: number) => {
        if (!isIt(sentAt)) return
        waiting.delete(ask)
        resolve()
      }
      waiting.add(ask)
    })
  return {
    counts,
    acknowledged: (sentAt) => {
      counts.acknowledged++
      for (const ask of waiting) ask(sentAt)
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
