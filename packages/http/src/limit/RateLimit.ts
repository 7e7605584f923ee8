/**
 * Limits each key's requests per second. To prevent key guessing, it also limits failed keys per minute from each
 * address. A valid key is served even if other requests from its address have failed.
 *
 * A request costs one token, plus one for every full 32 KiB of its response, because long responses cost more to
 * produce. Producing 32 KiB costs about as much as two single-booking requests. File downloads cost one token per 512
 * KiB, because their bytes are only passed through. A JSON body costs one more token for every full 4 KiB, because
 * parsing 64 KiB of short names takes 14 ms.
 */
import { type Refusal, refuseWithRetryAfter } from "@trailbook/core"
import type * as Clock from "effect/Clock"
import type { RequestContext } from "../request/RequestContext.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

export interface RateLimit {
  /** The buckets by key, or `undefined` if keys are not rate limited. */
  readonly keys: TokenBuckets.TokenBuckets | undefined
  /** The buckets by remote address, or `undefined` if failures are not rate limited. */
  readonly failures: TokenBuckets.TokenBuckets | undefined
  /** The `RateLimit-Policy` header, which contains the bucket size and the time to fill it. */
  readonly policy: string
}

export interface Options {
  /** The number of requests per second that a key can sustain. 0 disables the limit. Default: 100. */
  readonly perSecond?: number
  /** The largest burst of requests that a key can send. Default: twice `perSecond`. */
  readonly burst?: number
  /** The maximum number of failed keys per minute from one address. 0 disables the limit. Default: 20. */
  readonly failuresPerMinute?: number
}

export const make = (options: Options = {}): RateLimit => {
  const { failuresPerMinute = 20, perSecond = 100 } = options
  const burst = Math.max(1, options.burst ?? 2 * perSecond)
  return {
    keys: perSecond === 0 ? undefined : TokenBuckets.make({ burst, perSecond }),
    failures: failuresPerMinute === 0
      ? undefined
      : TokenBuckets.make({ burst: failuresPerMinute, perSecond: failuresPerMinute / 60 }),
    policy: `"key";q=${burst};w=${Math.ceil(burst / perSecond)}`
  }
}

/**
 * Returns the cost of a response with the given number of characters, not counting the token for the request itself.
 */
export const computeResponseCost = (length: number): number => Math.floor(length / charactersOfToken)

const charactersOfToken = 32 * 1024

/** Returns the cost of a JSON body with the given number of bytes, not counting the token for the request itself. */
export const computeBodyCost = (bytes: number): number => Math.floor(bytes / bodyBytesOfToken)

const bodyBytesOfToken = 4 * 1024

/** Charges tokens to the request's key, even if its bucket does not hold enough. */
export type TokenCharger = (exchange: RequestContext, tokens: number) => void

export const makeTokenCharger = ({ keys }: RateLimit, clock: Clock.Clock): TokenCharger => (exchange, tokens) => {
  const { keyId, bucket } = exchange
  if (tokens === 0 || keyId === undefined || bucket === undefined) return
  exchange.bucket = keys?.charge(keyId, tokens, clock.unsafeCurrentTimeMillis())
}

/** Formats the `RateLimit` header (draft-ietf-httpapi-ratelimit-headers). */
export const format = ({ remaining, resetSeconds }: TokenBuckets.BucketState): string =>
  `"key";r=${remaining};t=${resetSeconds}`

export const refuseRateLimited = ({ retrySeconds }: TokenBuckets.BucketState): Refusal<"rate_limited"> =>
  refuseWithRetryAfter(retrySeconds, "rate_limited", retrySeconds)
