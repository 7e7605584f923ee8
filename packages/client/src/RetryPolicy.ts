/** How long to wait before a request is sent again: twice as long each time, and never all callers at the same moment. */

/** What waiting takes from the world. */
export interface RetryPolicy {
  readonly pause: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  /** From 0 to below 1. */
  readonly random: () => number
}

const firstMs = 200
const longestMs = 5000

/** Longer than this nobody wants to wait without being asked. */
export const longestRetryAfterSeconds = 30

/** The wait before an attempt, the first again being 1. Never shorter than the server asked for. */
export const backoffMs = (attempt: number, retryAfterSeconds: number | undefined, random: () => number): number => {
  const most = Math.min(longestMs, firstMs * 2 ** (attempt - 1))
  return (retryAfterSeconds ?? 0) * 1000 + most * (1 + random()) / 2
}
