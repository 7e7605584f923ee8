/**
 * How often a caller may ask: so many requests a second for each
 * key, and so many failed keys a minute for each address, so that nobody can try
 * keys at leisure. A good key is served whatever its neighbours did.
 *
 * A request takes one token, and one more for each whole 32 KiB of its answer: what
 * an answer costs the server is about as its length, and 32 KiB cost some two
 * requests for a single booking. Of a file it is 512 KiB: its bytes are handed on.
 * A JSON body costs one more for each whole 4 KiB: parsing 64 KiB of short names takes 14 ms.
 */
import { type Refusal, refuseFor } from "@trailbook/core/Refusal"
import type * as Clock from "effect/Clock"
import type { RequestContext } from "./RequestContext.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

export interface RateLimit {
  /** `undefined` when there is no limit for keys. */
  readonly keys: TokenBuckets.TokenBuckets | undefined
  /** Keyed by the remote address; `undefined` when there is no limit. */
  readonly failures: TokenBuckets.TokenBuckets | undefined
  /** The `RateLimit-Policy` header: all of a bucket, and how long it takes to fill. */
  readonly policy: string
}

export interface Options {
  /** Requests of one key in the long run. 0 is off. Default 100. */
  readonly perSecond?: number
  /** Requests of one key at once. Default twice `perSecond`. */
  readonly burst?: number
  /** Failed keys of one address. 0 is off. Default 20. */
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

/** What an answer of so many characters costs, beyond the token of its request. */
export const responseCost = (length: number): number => Math.floor(length / charactersOfToken)

const charactersOfToken = 32 * 1024

/** What a JSON body of so many bytes costs, beyond the token of its request. */
export const costOfBody = (bytes: number): number => Math.floor(bytes / bodyBytesOfToken)

const bodyBytesOfToken = 4 * 1024

/** Charges tokens to the key of a request, whether they are available or not. */
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
