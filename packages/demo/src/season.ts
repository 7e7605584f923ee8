/**
 * Computes the demo's calendar and orders from a seed and the creation date, so that a later start can find the orders
 * that have become due. The idempotency keys are computed the same way, so no order is placed twice.
 */
import type { Source } from "@trailbook/core/actor"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { type Guest, guests } from "./outfitter.ts"
import { makeSeededByteSource, makeSeededKey, pickOne } from "./seededRandom.ts"

export const tripKeys = ["brownsCanyon", "familyFloat", "fishingGuide", "touringKayak"] as const

export type TripKey = (typeof tripKeys)[number]

/** One departure for an offering, in Salida time. */
export interface Departure {
  readonly trip: TripKey
  readonly date: LocalDate.LocalDate
  /** The number of days since the creation date. The calendar depends only on this number, not on the date. */
  readonly day: number
  readonly time: string
  /** Whether the departure is a session. Otherwise, it is a time within the offering's hours. */
  readonly scheduled: boolean
}

/**
 * The recurring departures. Each departure first takes place `day` days after the creation date and repeats every
 * `every` days.
 */
export const recurringDepartures: ReadonlyArray<Omit<Departure, "date"> & { readonly every: number }> = [
  { trip: "brownsCanyon", every: 7, day: 2, time: "09:00", scheduled: true },
  { trip: "brownsCanyon", every: 7, day: 3, time: "09:00", scheduled: true },
  { trip: "brownsCanyon", every: 7, day: 5, time: "13:30", scheduled: true },
  { trip: "familyFloat", every: 7, day: 1, time: "13:30", scheduled: true },
  { trip: "familyFloat", every: 7, day: 4, time: "13:30", scheduled: true },
  { trip: "familyFloat", every: 7, day: 6, time: "10:00", scheduled: true },
  { trip: "fishingGuide", every: 5, day: 0, time: "07:00", scheduled: false },
  { trip: "touringKayak", every: 8, day: 1, time: "08:00", scheduled: false }
]

/** How many days of history a new demo has, and how many days ahead sessions are scheduled. */
export const seasonLengthDays = { past: 28, ahead: 34 }

/** Returns the departures on a date. */
export const listDepartures = (date: LocalDate.LocalDate, madeOn: LocalDate.LocalDate): ReadonlyArray<Departure> =>
  recurringDepartures
    .filter(({ day, every }) => modulo(date - madeOn - day, every) === 0)
    .map(({ scheduled, time, trip }) => ({ trip, date, day: date - madeOn, time, scheduled }))

const modulo = (n: number, divisor: number): number => (n % divisor + divisor) % divisor

/** A booking to place and, for some orders, its later change. */
export interface PlannedBooking {
  /** The idempotency key, computed from the seed and the departure. */
  readonly key: string
  readonly departure: Departure
  readonly guest: Guest
  readonly quantity: number
  readonly periods: number | undefined
  readonly notes: string | undefined
  readonly source: Source
  /** When the booking is placed, in Salida time. */
  readonly on: LocalDate.LocalDate
  readonly at: string
  /** Whether the booking is paid with the demo's payment provider. */
  readonly paid: boolean
  /** The change to the booking before the departure. Undefined if the booking does not change. */
  readonly later: { readonly on: LocalDate.LocalDate; readonly what: "cancelled" | "moved" } | undefined
}

/** Returns the orders for a departure. */
export const planBookings = (departure: Departure, seed: number): ReadonlyArray<PlannedBooking> => {
  const { date, day, scheduled, time, trip } = departure
  const seedLabel = `${trip} ${day} ${time}`
  const bytes = makeSeededByteSource(seed, seedLabel)
  const randomBelow = (limit: number): number => (bytes(1)[0] ?? 0) % limit
  return Array.from({ length: scheduled ? 1 + randomBelow(3) : 1 }, (_, index) => {
    const leadDays = pickOne([2, 3, 4, 7, 12, 19], bytes)
    const bookedOn = LocalDate.addDays(date, -leadDays)
    const source = pickOne(["widget", "widget", "widget", "api", "dashboard"] as const, bytes)
    const change = pickOne(["cancelled", "moved", ...Array<undefined>(8).fill(undefined)] as const, bytes)
    return {
      key: makeSeededKey(seed, `${seedLabel} ${index}`),
      departure,
      guest: pickOne(guests, bytes),
      quantity: scheduled ? 1 + randomBelow(4) : 1 + randomBelow(2),
      periods: trip === "touringKayak" ? 2 + randomBelow(4) : undefined,
      notes: randomBelow(4) === 0 ? pickOne(remarks, bytes) : undefined,
      source,
      on: bookedOn,
      at: `${String(8 + randomBelow(12)).padStart(2, "0")}:${String(randomBelow(60)).padStart(2, "0")}`,
      paid: source === "widget" && randomBelow(3) > 0,
      later: change === undefined
        ? undefined
        : { on: LocalDate.addDays(bookedOn, Math.floor(leadDays / 2)), what: change }
    }
  })
}

const remarks = [
  "Anniversary trip.",
  "One of us is 6 foot 7.",
  "First time on a river.",
  "Bringing our own helmets.",
  "Vegetarian snacks, please.",
  "Two adults and a ten-year-old.",
  "Driving from Denver. Please don't wait for us past 9 AM.",
  "Gluten-free lunch for one."
] as const
