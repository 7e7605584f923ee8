/**
 * Rate limits for pages per client address. The limits are generous, because a family or a campsite can share one
 * address. Each process counts in memory.
 */
import { toNetwork } from "@trailbook/core/actor/toNetwork"
import type { Refusal } from "@trailbook/core/Refusal"
import * as RateLimit from "./RateLimit.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

export interface IpRateLimit {
  /** Takes one token. `now` is in epoch milliseconds. Returns a refusal if no token is left. */
  readonly take: (key: string, now: number) => Refusal<"rate_limited"> | undefined
}

/** Creates a limit that allows bursts of `times` requests and refills `times` tokens every `minutes` minutes. */
export const make = ({ minutes = 1, times }: { readonly times: number; readonly minutes?: number }): IpRateLimit => {
  const buckets = TokenBuckets.make({ burst: times, perSecond: times / (60 * minutes) })
  return {
    take: (key, now) => {
      const bucket = buckets.take(toNetwork(key), now)
      return bucket.allowed ? undefined : RateLimit.rateLimited(bucket)
    }
  }
}

/**
 * Returns the refusal of the first exhausted limit. Without an address, no limit applies. Otherwise all callers would
 * share one bucket, and a single caller could lock out the others.
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
