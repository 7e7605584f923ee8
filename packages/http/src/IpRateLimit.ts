/**
 * Rate limits for pages per client address. A family or a campsite can share one address, so the limits are generous.
 * The counts are kept in memory per process.
 */
import { toNetwork } from "@trailbook/core/actor/toNetwork"
import type { Refusal } from "@trailbook/core/Refusal"
import * as RateLimit from "./RateLimit.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

export interface IpRateLimit {
  /** Takes one token at a time in epoch milliseconds. Returns the refusal if none is left. */
  readonly take: (key: string, now: number) => Refusal<"rate_limited"> | undefined
}

/** Allows bursts of `times` requests and refills as many every `minutes` minutes. */
export const make = ({ minutes = 1, times }: { readonly times: number; readonly minutes?: number }): IpRateLimit => {
  const buckets = TokenBuckets.make({ burst: times, perSecond: times / (60 * minutes) })
  return {
    take: (key, now) => {
      const standing = buckets.take(toNetwork(key), now)
      return standing.allowed ? undefined : RateLimit.rateLimited(standing)
    }
  }
}

/**
 * Returns the refusal of the first exhausted limit. Without an address, nothing is limited: all callers would share one
 * bucket, and one caller could lock out the rest.
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
