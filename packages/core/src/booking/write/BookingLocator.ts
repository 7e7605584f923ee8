/**
 * Where a booking is, which a change does not say: what this process has seen of
 * it lately, or else what storage says, asked for many at once and without a lock.
 * Either may be old by the time that it is used, so whoever locks the place finds
 * out and looks again.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Coalescer from "../../concurrency/KeyedBatcher.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { TenantScope } from "../../port/TenantScope.ts"
import { notFound, type Refusal } from "../../Refusal.ts"
import type { Booking } from "../Booking.ts"
import { BookingStore } from "../BookingStore.ts"
import { rowKey } from "./BatchState.ts"
import type { KnownLocation } from "./BookingRequest.ts"

/** Ids of so many bookings are remembered: most are confirmed or paid soon after they were made. */
const remembered = 10_000

type Found = Effect.Effect<CachedLocation, Refusal<"not_found">>

/** What is remembered of a booking: nothing of its guest. */
export interface CachedLocation extends KnownLocation {
  /** Until when it keeps its place, as far as is known; null when it keeps none. */
  readonly livesUntil: number | null
}

const lastSeen = (booking: Booking): CachedLocation => ({
  offeringId: booking.offeringId,
  sessionId: booking.sessionId,
  livesUntil: booking.status === "confirmed" ? Infinity : booking.status === "held" ? booking.expiresAt : null
})

/** Asks storage for one booking at once. */
export const makeLocator = Effect.map(BookingStore, ({ find }) => (key: OrgKey): Found =>
  Effect.flatMap(
    Effect.provideService(find([key]), TenantScope, [key.orgId]),
    ([record]) => record === undefined ? notFound("booking", key.id) : Effect.succeed(lastSeen(record.booking))
  ))

export const makeCachedLocator = Effect.gen(function*() {
  const { find } = yield* BookingStore
  const known = new Map<string, CachedLocation>()
  const remember = (booking: Booking): void => {
    const name = rowKey(booking)
    // Whoever was seen last is forgotten last.
    known.delete(name)
    known.set(name, lastSeen(booking))
    for (const oldest of known.keys()) {
      if (known.size <= remembered) break
      known.delete(oldest)
    }
  }
  const looks = yield* Coalescer.make({
    lanes: 2,
    batch: 64,
    run: (keys: ReadonlyArray<OrgKey>) =>
      Effect.map(
        Effect.provideService(find(keys), TenantScope, [...new Set(keys.map(({ orgId }) => orgId))]),
        (records) => {
          const found = new Map(records.map(({ booking }) => [rowKey(booking), lastSeen(booking)]))
          return keys.map((key) => {
            const seen = found.get(rowKey(key))
            return seen === undefined ? Exit.fail(notFound("booking", key.id)) : Exit.succeed(seen)
          })
        }
      )
  })
  return {
    remember,
    /** `again` says that what was remembered was wrong. */
    find: (key: OrgKey, again: boolean): Found =>
      Effect.suspend(() => {
        const seen = again ? undefined : known.get(rowKey(key))
        return seen === undefined ? looks.submit([rowKey(key)], key) : Effect.succeed(seen)
      })
  }
})
