/** Backoff before a request is retried: exponential, with jitter. */

/** The dependencies of the backoff. */
export interface RetryPolicy {
  readonly pause: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  /** Returns a number in [0, 1). */
  readonly random: () => number
}

const firstMs = 200
const longestMs = 5000

/** The maximum delay that the client accepts on its own. */
export const longestRetryAfterSeconds = 30

/** Returns the delay before an attempt. The first retry is 1. Never shorter than the server's `Retry-After`. */
export const backoffMs = (attempt: number, retryAfterSeconds: number | undefined, random: () => number): number => {
  const most = Math.min(longestMs, firstMs * 2 ** (attempt - 1))
  return (retryAfterSeconds ?? 0) * 1000 + most * (1 + random()) / 2
}
