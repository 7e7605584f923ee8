/**
 * Finds the offering and session of a booking before any lock is taken. An update names only its booking, and the queue
 * needs the keys of the place.
 *
 * The location comes from an in-process cache or from a batched query, and it can be stale. The batch checks it after
 * locking and fails with `StaleRead`; the caller then retries without the cache.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as KeyedBatcher from "../../concurrency/KeyedBatcher.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { TenantScope } from "../../port/TenantScope.ts"
import { notFound, type Refusal } from "../../Refusal.ts"
import type { Booking } from "../Booking.ts"
import { BookingStore } from "../BookingStore.ts"
import { rowKey } from "./BatchState.ts"
import type { KnownLocation } from "./BookingRequest.ts"

/** Maximum number of cached bookings. Most bookings are confirmed or paid soon after they are created. */
const remembered = 10_000

type Found = Effect.Effect<CachedLocation, Refusal<"not_found">>

/** Contains no guest data, so an erasure does not need to clear the cache. */
export interface CachedLocation extends KnownLocation {
  /** When the booking stops occupying its place: `Infinity` if confirmed, the expiry if held, null if canceled. */
  readonly livesUntil: number | null
}

const lastSeen = (booking: Booking): CachedLocation => ({
  offeringId: booking.offeringId,
  sessionId: booking.sessionId,
  livesUntil: booking.status === "confirmed" ? Infinity : booking.status === "held" ? booking.expiresAt : null
})

/** A locator without cache or batching: one query per lookup, in the caller's fiber. */
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
    // Delete before set: a map iterates in insertion order, so the least recently stored entries come first.
    known.delete(name)
    known.set(name, lastSeen(booking))
    for (const oldest of known.keys()) {
      if (known.size <= remembered) break
      known.delete(oldest)
    }
  }
  const looks = yield* KeyedBatcher.make({
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
    /** Skips the cache if `again` is true, because the cached location was stale. */
    find: (key: OrgKey, again: boolean): Found =>
      Effect.suspend(() => {
        const seen = again ? undefined : known.get(rowKey(key))
        return seen === undefined ? looks.submit([rowKey(key)], key) : Effect.succeed(seen)
      })
  }
})
