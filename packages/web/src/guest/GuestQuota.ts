/**
 * Limits messages and file bytes per 24 hours. Each process keeps its own counters in memory. A used quota refills
 * evenly over 24 hours.
 */
import { GuestQuota, type GuestSender } from "@trailbook/core/conversation"
import * as TokenBuckets from "@trailbook/http/limit/TokenBuckets"
import * as Layer from "effect/Layer"

export interface GuestQuotaOptions {
  /** The maximum number of messages per booking in 24 hours. Default: 50. */
  readonly guestMessagesPerDay?: number | undefined
  /** The maximum total size of files per booking in 24 hours, in megabytes. Default: 100. */
  readonly guestFilesMbPerDay?: number | undefined
}

/** An org's quota, as a multiple of a booking's quota. */
const bookingsPerOrg = 20

const secondsPerDay = 24 * 60 * 60

export const layer = (options: GuestQuotaOptions): Layer.Layer<GuestQuota> =>
  Layer.sync(GuestQuota, () => make(options))

export const make = (
  { guestFilesMbPerDay = 100, guestMessagesPerDay = 50 }: GuestQuotaOptions = {}
): GuestQuota["Type"] => {
  const messages = bucketsOf(guestMessagesPerDay)
  const bytes = bucketsOf(guestFilesMbPerDay * 1024 * 1024)
  return {
    takeMessage: (sender) => waitOf(messages, sender),
    waitForFiles: (sender) => waitOf(bytes, sender),
    chargeFile: (sender, size) => {
      for (const { buckets, keyOf } of bytes) buckets.charge(keyOf(sender), size, sender.now)
    }
  }
}

const bucketsOf = (perDay: number) => [
  {
    buckets: TokenBuckets.make({ burst: perDay, perSecond: perDay / secondsPerDay }),
    keyOf: ({ id }: GuestSender) => id
  },
  {
    buckets: TokenBuckets.make({ burst: bookingsPerOrg * perDay, perSecond: bookingsPerOrg * perDay / secondsPerDay }),
    keyOf: ({ orgId }: GuestSender) => orgId
  }
]

/**
 * Returns the seconds until the sender can try again, or undefined if no quota is exhausted. A booking that has
 * exhausted its own quota does not count against the org's quota.
 */
const waitOf = (all: ReturnType<typeof bucketsOf>, sender: GuestSender): number | undefined => {
  for (const { buckets, keyOf } of all) {
    const bucket = buckets.take(keyOf(sender), sender.now)
    if (!bucket.allowed) return bucket.retrySeconds
  }
  return undefined
}
