/**
 * Keeps a token bucket for each key. A bucket holds up to `burst` tokens. Each request takes one token, and `perSecond`
 * tokens are added every second. Additional costs are charged after the request and can leave the bucket in debt.
 * Subsequent requests are rejected until the debt has been repaid.
 */

export interface TokenBuckets {
  /** Takes a token from the key's bucket. `now` is in epoch milliseconds. */
  readonly take: (key: string, now: number) => BucketState
  /** Takes additional tokens, even if the bucket does not hold enough. */
  readonly charge: (key: string, tokens: number, now: number) => BucketState
}

export interface BucketState {
  readonly allowed: boolean
  /** The number of whole tokens left. */
  readonly remaining: number
  /** The number of seconds until the bucket is full, rounded up. */
  readonly resetSeconds: number
  /** The number of seconds until the next token, rounded up to at least 1. */
  readonly retrySeconds: number
}

interface Bucket {
  tokens: number
  updatedAt: number
}

/**
 * The maximum number of buckets. When the limit is exceeded, the oldest bucket is dropped. At worst, its key starts
 * over with a full bucket.
 */
const maxBuckets = 10_000

/** Creates the buckets in memory, so each process counts separately. */
export const make = ({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }): TokenBuckets => {
  const buckets = new Map<string, Bucket>()

  const findOrCreateBucket = (key: string, now: number): Bucket => {
    const existing = buckets.get(key)
    if (existing !== undefined) return existing
    if (buckets.size >= maxBuckets) {
      for (const first of buckets.keys()) {
        buckets.delete(first)
        break
      }
    }
    const bucket = { tokens: burst, updatedAt: now }
    buckets.set(key, bucket)
    return bucket
  }

  const refill = (key: string, now: number): Bucket => {
    const bucket = findOrCreateBucket(key, now)
    // If the clock was set back, no tokens are added or removed.
    const elapsedSeconds = Math.max(0, now - bucket.updatedAt) / 1000
    bucket.tokens = Math.min(burst, bucket.tokens + elapsedSeconds * perSecond)
    bucket.updatedAt = now
    return bucket
  }

  const toBucketState = ({ tokens }: Bucket, allowed: boolean): BucketState => ({
    allowed,
    remaining: Math.max(0, Math.floor(tokens + 1e-9)),
    resetSeconds: Math.ceil((burst - tokens) / perSecond),
    retrySeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond))
  })

  return {
    take: (key, now) => {
      const bucket = refill(key, now)
      // Allow for rounding, because three thirds of a token do not add up to exactly 1.
      const allowed = bucket.tokens > 1 - 1e-9
      if (allowed) bucket.tokens = Math.max(0, bucket.tokens - 1)
      return toBucketState(bucket, allowed)
    },
    charge: (key, tokens, now) => {
      const bucket = refill(key, now)
      bucket.tokens -= tokens
      return toBucketState(bucket, true)
    }
  }
}
