/**
 * A token bucket for each key: it holds `burst` tokens, a request takes one, and
 * `perSecond` of them come back every second. What a request turns out to cost
 * beyond that is charged afterwards: it may leave the bucket in debt, and the next
 * request waits until that is made up for.
 */

export interface TokenBuckets {
  /** Takes a token from the key's bucket at a moment in epoch milliseconds. */
  readonly take: (key: string, now: number) => BucketState
  /** Takes so many more, whether they are there or not. */
  readonly charge: (key: string, tokens: number, now: number) => BucketState
}

export interface BucketState {
  readonly allowed: boolean
  /** Whole tokens left. */
  readonly remaining: number
  /** Until the bucket is full, rounded up. */
  readonly resetSeconds: number
  /** Until there is a token again, rounded up; at least 1. */
  readonly retrySeconds: number
}

interface Bucket {
  tokens: number
  at: number
}

/**
 * A full bucket says the same as none. So when there are too many, the one that
 * was made first goes: at worst its key starts over with a full one.
 */
const maxBuckets = 10_000

/** In memory: each process counts for itself. */
export const make = ({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }): TokenBuckets => {
  const buckets = new Map<string, Bucket>()

  const bucketOf = (key: string, now: number): Bucket => {
    const known = buckets.get(key)
    if (known !== undefined) return known
    if (buckets.size >= maxBuckets) {
      for (const first of buckets.keys()) {
        buckets.delete(first)
        break
      }
    }
    const bucket = { tokens: burst, at: now }
    buckets.set(key, bucket)
    return bucket
  }

  const filled = (key: string, now: number): Bucket => {
    const bucket = bucketOf(key, now)
    // A clock that was set back brings nothing, and takes nothing away.
    const elapsedSeconds = Math.max(0, now - bucket.at) / 1000
    bucket.tokens = Math.min(burst, bucket.tokens + elapsedSeconds * perSecond)
    bucket.at = now
    return bucket
  }

  const standing = ({ tokens }: Bucket, allowed: boolean): BucketState => ({
    allowed,
    remaining: Math.max(0, Math.floor(tokens + 1e-9)),
    resetSeconds: Math.ceil((burst - tokens) / perSecond),
    retrySeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond))
  })

  return {
    take: (key, now) => {
      const bucket = filled(key, now)
      // Thirds of a token do not add up to a whole one, quite.
      const allowed = bucket.tokens > 1 - 1e-9
      if (allowed) bucket.tokens = Math.max(0, bucket.tokens - 1)
      return standing(bucket, allowed)
    },
    charge: (key, tokens, now) => {
      const bucket = filled(key, now)
      bucket.tokens -= tokens
      return standing(bucket, true)
    }
  }
}
