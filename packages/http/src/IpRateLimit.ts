/**
 * How often one address may ask for a page. Whoever is behind one address shares it: a family, or a whole campsite,
 * so a limit has room for many. It counts in memory, each process for itself.
 */
import { toNetwork } from "@trailbook/core/actor/toNetwork"
import type { Refusal } from "@trailbook/core/Refusal"
import * as RateLimit from "./RateLimit.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

export interface IpRateLimit {
  /** Takes one, at a moment in epoch milliseconds; the refusal where none was left. */
  readonly take: (key: string, now: number) => Refusal<"rate_limited"> | undefined
}

/** So many at once, and as many again in so many minutes. */
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
 * The refusal of the first limit that has none left. Where nothing is known of the address nothing is limited: all
 * would share one bucket, and one of them could keep everybody out.
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
