/**
 * Scripts in which eight clients compete for three almost full offerings. They repeatedly use the same few places,
 * bookings, and keys.
 */
import { type BookingStatus, bookingStatuses } from "@trailbook/core/booking"
import type { OfferingKind } from "@trailbook/core/offering/Offering"
import { makeRandomIntegers } from "@trailbook/testkit/fake/randomIntegers"

/** A planned call. The numbers are indexes into the places and bookings that exist when the call runs. */
export type PlannedCall =
  | {
    readonly _tag: "Book"
    readonly place: number
    readonly quantity: number
    readonly periods: number
    readonly holdMinutes: number | undefined
    /** The key that all clients share for this request. Undefined for a unique key. */
    readonly wish: number | undefined
  }
  | { readonly _tag: "Confirm" | "Cancel" | "Get"; readonly booking: number }
  | { readonly _tag: "Move"; readonly booking: number; readonly place: number }
  | { readonly _tag: "List"; readonly status: BookingStatus | undefined }
  | { readonly _tag: "Availability" }
  | { readonly _tag: "Pass"; readonly minutes: number }

export interface ClientTurn {
  readonly step: PlannedCall
  readonly offering: number
  /** How many times the client yields before the call. */
  readonly pause: number
  /** The number of ticks after which the client stops waiting. */
  readonly patience: number | undefined
}

export interface Script {
  readonly seed: number
  /** The input to `offerings.create`. */
  readonly offerings: ReadonlyArray<{
    readonly kind: OfferingKind
    readonly buffer_minutes: number
    readonly [field: string]: unknown
  }>
  /** The steps of each client, in order. */
  readonly clients: ReadonlyArray<ReadonlyArray<ClientTurn>>
}

const clientCount = 8
const operationsPerClient = 40

/** The number of shared requests per offering. */
const sharedRequestCount = 6

/** Returns the script for a seed. */
export const makeScript = (seed: number): Script => {
  const next = makeRandomIntegers(seed)
  const randomBelow = (n: number) => next() % n
  const chance = (percent: number) => randomBelow(100) < percent
  const pick = <A>(first: A, ...others: ReadonlyArray<A>): A => others[randomBelow(others.length + 1) - 1] ?? first

  const durations = { duration_minutes: 60, buffer_minutes: pick(0, 15) }
  const offerings = [
    { kind: "class", capacity: 1 + randomBelow(3), duration_minutes: 60, buffer_minutes: 0 },
    { kind: "appointment", capacity: 1 + randomBelow(3), slot_interval_minutes: 30, ...durations },
    { kind: "rental", capacity: 1 + randomBelow(3), slot_interval_minutes: 60, max_periods: 2, ...durations }
  ] as const

  const makeRequest = (kind: string) => ({
    // The last place does not exist.
    place: chance(5) ? 4 : randomBelow(4),
    quantity: chance(70) ? 1 : 2,
    periods: kind === "rental" ? 1 + randomBelow(2) : 1,
    holdMinutes: chance(50) ? 5 + randomBelow(10) : undefined
  })
  const sharedRequests = offerings.map(({ kind }) =>
    Array.from({ length: sharedRequestCount }, () => makeRequest(kind))
  )

  const makeBook = (offering: number): PlannedCall => {
    const ownRequest = makeRequest(offerings[offering]?.kind ?? "class")
    if (chance(60)) return { _tag: "Book", wish: undefined, ...ownRequest }
    const wish = randomBelow(sharedRequestCount)
    // Occasionally a client reuses a key for a different request.
    return { _tag: "Book", wish, ...(chance(10) ? ownRequest : sharedRequests[offering]?.[wish] ?? ownRequest) }
  }

  const makeStep = (offering: number): PlannedCall => {
    const roll = randomBelow(100)
    if (roll < 30) return makeBook(offering)
    if (roll < 42) return { _tag: "Confirm", booking: randomBelow(30) }
    if (roll < 56) return { _tag: "Cancel", booking: randomBelow(30) }
    if (roll < 70) return { _tag: "Move", booking: randomBelow(30), place: chance(5) ? 4 : randomBelow(4) }
    if (roll < 80) return { _tag: "Get", booking: randomBelow(30) }
    if (roll < 86) return { _tag: "List", status: pick(undefined, ...bookingStatuses) }
    if (roll < 96) return { _tag: "Availability" }
    return { _tag: "Pass", minutes: 1 + randomBelow(6) }
  }

  const makeTurn = (): ClientTurn => {
    const offering = randomBelow(offerings.length)
    return {
      offering,
      step: makeStep(offering),
      pause: randomBelow(4),
      patience: chance(6) ? randomBelow(12) : undefined
    }
  }

  return {
    seed,
    offerings,
    clients: Array.from({ length: clientCount }, () => Array.from({ length: operationsPerClient }, makeTurn))
  }
}
