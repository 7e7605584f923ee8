/** The timer and the random numbers of the backoff. Tests replace both. */
export interface RetryPolicy {
  readonly pause: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  /** Returns a number in [0, 1). */
  readonly random: () => number
}

const firstMs = 200
const longestMs = 5000

/** A call fails immediately if the server's `Retry-After` is longer. */
export const longestRetryAfterSeconds = 30

/**
 * Exponential backoff with jitter before retry number `attempt`, which starts at 1. The backoff adds to `Retry-After`,
 * so clients with the same `Retry-After` do not retry at the same moment.
 */
export const backoffMs = (attempt: number, retryAfterSeconds: number | undefined, random: () => number): number => {
  const most = Math.min(longestMs, firstMs * 2 ** (attempt - 1))
  return (retryAfterSeconds ?? 0) * 1000 + most * (1 + random()) / 2
}
