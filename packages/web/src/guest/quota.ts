/**
 * Limits on messages and file bytes per 24 hours, for each booking and for each org. Counters are in memory, separate
 * for each process. A used quota refills evenly over the day.
 */
import * as TokenBuckets from "@trailbook/http/TokenBuckets"

export interface GuestQuotaOptions {
  /** Messages per booking in 24 hours. Default: 50. */
  readonly guestMessagesPerDay?: number | undefined
  /** Megabytes of files per booking in 24 hours. Default: 100. */
  readonly guestFilesMbPerDay?: number | undefined
}

export interface GuestQuota {
  /** Takes one message. Returns the seconds until the next one if none is left. */
  readonly takeMessage: (sender: Sender) => number | undefined
  /** Returns the seconds until files are accepted again if no bytes are left. */
  readonly waitForFiles: (sender: Sender) => number | undefined
  /** Counts a stored file. The last one can exceed the quota, and delays the next by that much. */
  readonly chargeFile: (sender: Sender, bytes: number) => void
}

interface Sender {
  readonly orgId: string
  readonly bookingId: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The quota of an org equals the quotas of this many bookings. */
const bookingsPerOrg = 20

const secondsPerDay = 24 * 60 * 60

export const make = (
  { guestFilesMbPerDay = 100, guestMessagesPerDay = 50 }: GuestQuotaOptions
): GuestQuota => {
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
    keyOf: ({ bookingId }: Sender) => bookingId
  },
  {
    buckets: TokenBuckets.make({ burst: bookingsPerOrg * perDay, perSecond: bookingsPerOrg * perDay / secondsPerDay }),
    keyOf: ({ orgId }: Sender) => orgId
  }
]

/** A booking that has exhausted its quota does not use the quota of its org. */
const waitOf = (all: ReturnType<typeof bucketsOf>, sender: Sender): number | undefined => {
  for (const { buckets, keyOf } of all) {
    const standing = buckets.take(keyOf(sender), sender.now)
    if (!standing.allowed) return standing.retrySeconds
  }
  return undefined
}
