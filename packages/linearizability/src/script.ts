/**
 * Scripts in which eight clients compete for three almost full offerings. They repeatedly use the same few places,
 * bookings, and keys.
 */
import { bookingStatuses, type Status } from "@trailbook/core/booking"
import type { Kind } from "@trailbook/core/offering/Offering"
import { numbers } from "@trailbook/testkit/fake/numbers"

/** A planned call. Its numbers are indexes into the places and bookings that exist when the call runs. */
export type Step =
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
  | { readonly _tag: "List"; readonly status: Status | undefined }
  | { readonly _tag: "Availability" }
  | { readonly _tag: "Pass"; readonly minutes: number }

export interface ClientTurn {
  readonly step: Step
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
    readonly kind: Kind
    readonly buffer_minutes: number
    readonly [field: string]: unknown
  }>
  /** The steps of each client, in order. */
  readonly clients: ReadonlyArray<ReadonlyArray<ClientTurn>>
}

const clients = 8
const operations = 40

/** The number of shared requests per offering. */
const wishes = 6

/** Returns the script for a seed. */
export const script = (seed: number): Script => {
  const next = numbers(seed)
  const below = (n: number) => next() % n
  const chance = (percent: number) => below(100) < percent
  const pick = <A>(first: A, ...others: ReadonlyArray<A>): A => others[below(others.length + 1) - 1] ?? first

  const length = { duration_minutes: 60, buffer_minutes: pick(0, 15) }
  const offerings = [
    { kind: "class", capacity: 1 + below(3), duration_minutes: 60, buffer_minutes: 0 },
    { kind: "appointment", capacity: 1 + below(3), slot_interval_minutes: 30, ...length },
    { kind: "rental", capacity: 1 + below(3), slot_interval_minutes: 60, max_periods: 2, ...length }
  ] as const

  const anyWish = (kind: string) => ({
    // The last place does not exist.
    place: chance(5) ? 4 : below(4),
    quantity: chance(70) ? 1 : 2,
    periods: kind === "rental" ? 1 + below(2) : 1,
    holdMinutes: chance(50) ? 5 + below(10) : undefined
  })
  const sharedWishes = offerings.map(({ kind }) => Array.from({ length: wishes }, () => anyWish(kind)))

  const book = (offering: number): Step => {
    const ownWish = anyWish(offerings[offering]?.kind ?? "class")
    if (chance(60)) return { _tag: "Book", wish: undefined, ...ownWish }
    const wish = below(wishes)
    // Occasionally a client reuses a key for a different request.
    return { _tag: "Book", wish, ...(chance(10) ? ownWish : sharedWishes[offering]?.[wish] ?? ownWish) }
  }

  const stepOf = (offering: number): Step => {
    const dice = below(100)
    if (dice < 30) return book(offering)
    if (dice < 42) return { _tag: "Confirm", booking: below(30) }
    if (dice < 56) return { _tag: "Cancel", booking: below(30) }
    if (dice < 70) return { _tag: "Move", booking: below(30), place: chance(5) ? 4 : below(4) }
    if (dice < 80) return { _tag: "Get", booking: below(30) }
    if (dice < 86) return { _tag: "List", status: pick(undefined, ...bookingStatuses) }
    if (dice < 96) return { _tag: "Availability" }
    return { _tag: "Pass", minutes: 1 + below(6) }
  }

  const makeTurn = (): ClientTurn => {
    const offering = below(offerings.length)
    return {
      offering,
      step: stepOf(offering),
      pause: below(4),
      patience: chance(6) ? below(12) : undefined
    }
  }

  return {
    seed,
    offerings,
    clients: Array.from({ length: clients }, () => Array.from({ length: operations }, makeTurn))
  }
}
