/**
 * Finds a booking's offering and session before taking any lock. An update names only its booking, but the queue needs
 * the place's keys. The location can be stale, so the batch checks it after taking the locks, and a retry reads it
 * again.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as KeyedBatcher from "../../concurrency/KeyedBatcher.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { TenantScope } from "../../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../../Refusal.ts"
import type { Booking } from "../Booking.ts"
import { BookingStore } from "../BookingStore.ts"
import { toRowKey } from "./BatchState.ts"

/**
 * The maximum number of cached locations. A cache works well here, because most bookings are confirmed or paid soon
 * after they are created.
 */
const maxCached = 10_000

/** A booking's location. It contains no guest data, so an erasure does not need to clear the cache. */
export interface BookingPlacement extends Pick<Booking, "offeringId" | "sessionId"> {
  /**
   * When the booking stops occupying its place: `Infinity` if it is confirmed, its expiry if it is held, and null if it
   * is canceled.
   */
  readonly expiresAt: number | null
}

const toLocation = (booking: Booking): BookingPlacement => ({
  offeringId: booking.offeringId,
  sessionId: booking.sessionId,
  expiresAt: booking.status === "confirmed" ? Infinity : booking.status === "held" ? booking.expiresAt : null
})

type FindLocation = (key: OrgKey) => Effect.Effect<BookingPlacement, Refusal<"not_found">>

export const makeBookingLocator = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const cache = new Map<string, BookingPlacement>()
  const readLocations = (keys: ReadonlyArray<OrgKey>) =>
    Effect.map(
      Effect.provideService(bookings.find(keys), TenantScope, [...new Set(keys.map(({ orgId }) => orgId))]),
      (records) => {
        const locations = new Map(records.map(({ booking }) => [toRowKey(booking), toLocation(booking)]))
        return keys.map((key) => {
          const location = locations.get(toRowKey(key))
          return location === undefined ? Exit.fail(notFound("booking", key.id)) : Exit.succeed(location)
        })
      }
    )
  const batcher = yield* KeyedBatcher.make({ concurrency: 2, maxBatchSize: 64, run: readLocations })

  /** Reads the location in the current fiber, and therefore in the fiber's transaction. */
  const find: FindLocation = (key) =>
    Effect.flatMap(readLocations([key]), ([exit]) => exit ?? notFound("booking", key.id))
  /** Reads the location from the cache, or else in a batch with concurrent lookups. */
  const findCached: FindLocation = (key) =>
    Effect.suspend(() => {
      const location = cache.get(toRowKey(key))
      return location === undefined ? batcher.submit([toRowKey(key)], key) : Effect.succeed(location)
    })
  const remember = (booking: Booking): void => {
    const key = toRowKey(booking)
    // Delete before setting. A map iterates in insertion order, so the entries stored longest ago come first.
    cache.delete(key)
    cache.set(key, toLocation(booking))
    for (const oldest of cache.keys()) {
      if (cache.size <= maxCached) break
      cache.delete(oldest)
    }
  }
  return { find, findCached, remember }
})
