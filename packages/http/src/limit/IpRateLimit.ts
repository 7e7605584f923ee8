/**
 * Rate limits for pages, per client address. The limits are generous, because a family or a campground can share one
 * address. Each process keeps its own counts in memory.
 */
import type { Refusal } from "@trailbook/core"
import { toNetwork } from "@trailbook/core/actor"
import * as RateLimit from "./RateLimit.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

export interface IpRateLimit {
  /** Takes a token, or returns a refusal if none is left. `now` is in epoch milliseconds. */
  readonly take: (key: string, now: number) => Refusal<"rate_limited"> | undefined
}

/** Creates a limit that allows bursts of `times` requests and refills `times` tokens every `minutes` minutes. */
export const make = ({ minutes = 1, times }: { readonly times: number; readonly minutes?: number }): IpRateLimit => {
  const buckets = TokenBuckets.make({ burst: times, perSecond: times / (60 * minutes) })
  return {
    take: (key, now) => {
      const bucket = buckets.take(toNetwork(key), now)
      return bucket.allowed ? undefined : RateLimit.refuseRateLimited(bucket)
    }
  }
}

/**
 * Returns the refusal from the first exhausted limit. Without an address, no limit applies, because all such callers
 * would share one bucket, and one of them could lock out the others.
 */
export const checkIpLimits = (
  limits: ReadonlyArray<IpRateLimit>,
  address: string | undefined,
  now: number
): Refusal<"rate_limited"> | undefined => {
  if (address === undefined) return undefined
  for (const limit of limits) {
    const refusal = limit.take(address, now)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
