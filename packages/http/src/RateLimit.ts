/**
 * Rate limits: requests per second for each key, and failed keys per minute for each address to prevent guessing. A
 * valid key is served regardless of failures from the same address.
 *
 * A request costs one token, plus one for each full 32 KiB of its response, because the cost of a response grows with
 * its length: 32 KiB cost about as much as two requests for a single booking. For files, it is one token per 512 KiB,
 * because their bytes are passed through. A JSON body costs one more token per full 4 KiB: parsing 64 KiB of short
 * names takes 14 ms.
 */
import { type Refusal, refuseFor } from "@trailbook/core/Refusal"
import type * as Clock from "effect/Clock"
import type { RequestContext } from "./RequestContext.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

export interface RateLimit {
  /** `undefined` if keys are not limited. */
  readonly keys: TokenBuckets.TokenBuckets | undefined
  /** Keyed by the remote address. `undefined` if failures are not limited. */
  readonly failures: TokenBuckets.TokenBuckets | undefined
  /** The `RateLimit-Policy` header: the bucket size and the time to fill it. */
  readonly policy: string
}

export interface Options {
  /** Sustained requests per second per key. 0 disables the limit. Default 100. */
  readonly perSecond?: number
  /** Maximum burst per key. Default twice `perSecond`. */
  readonly burst?: number
  /** Failed keys per minute per address. 0 disables the limit. Default 20. */
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

/** Returns the cost of a response with this many characters, in addition to the token of its request. */
export const responseCost = (length: number): number => Math.floor(length / charactersOfToken)

const charactersOfToken = 32 * 1024

/** Returns the cost of a JSON body with this many bytes, in addition to the token of its request. */
export const costOfBody = (bytes: number): number => Math.floor(bytes / bodyBytesOfToken)

const bodyBytesOfToken = 4 * 1024

/** Charges tokens to the key of a request, even if fewer are available. */
export type Charge = (exchange: RequestContext, tokens: number) => void

export const makeCharge = ({ keys }: RateLimit, clock: Clock.Clock): Charge => (exchange, tokens) => {
  const { keyId, standing } = exchange
  if (tokens === 0 || keyId === undefined || standing === undefined) return
  exchange.standing = keys?.charge(keyId, tokens, clock.unsafeCurrentTimeMillis())
}

/** The `RateLimit` header of draft-ietf-httpapi-ratelimit-headers. */
export const format = ({ remaining, resetSeconds }: TokenBuckets.BucketState): string =>
  `"key";r=${remaining};t=${resetSeconds}`

export const rateLimited = ({ retrySeconds }: TokenBuckets.BucketState): Refusal<"rate_limited"> =>
  refuseFor(retrySeconds, "rate_limited", retrySeconds)
