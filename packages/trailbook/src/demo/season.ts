/**
 * The demo's calendar, and who books on it when. It is a calculation: of a seed
 * and the day on which the demo was made. So a start weeks later finds out what
 * has come due since, and the same order never comes twice: its key is calculated
 * as well.
 */
import type { Source } from "@trailbook/core/actor/Actor"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { type Guest, guests } from "./guests.ts"
import { pickOne, seededBytes, seededKey } from "./seededRandom.ts"

/** The offerings by the names that the story has for them. */
export const trips = ["brownsCanyon", "familyFloat", "fishingGuide", "touringKayak"] as const

export type Trip = (typeof trips)[number]

/** When something starts, by the clocks in Salida. */
export interface Departure {
  readonly trip: Trip
  readonly date: LocalDate.LocalDate
  /** How many days after the making; the same demo is made on any day. */
  readonly day: number
  readonly time: string
  /** Scheduled as a session; the rest is open whenever nobody has it. */
  readonly scheduled: boolean
}

/**
 * What goes when: every `every` days, counted from the day of the making, `day`
 * days after it.
 */
export const calendar: ReadonlyArray<Omit<Departure, "date"> & { readonly every: number }> = [
  { trip: "brownsCanyon", every: 7, day: 2, time: "09:00", scheduled: true },
  { trip: "brownsCanyon", every: 7, day: 3, time: "09:00", scheduled: true },
  { trip: "brownsCanyon", every: 7, day: 5, time: "13:30", scheduled: true },
  { trip: "familyFloat", every: 7, day: 1, time: "13:30", scheduled: true },
  { trip: "familyFloat", every: 7, day: 4, time: "13:30", scheduled: true },
  { trip: "familyFloat", every: 7, day: 6, time: "10:00", scheduled: true },
  { trip: "fishingGuide", every: 5, day: 0, time: "07:00", scheduled: false },
  { trip: "touringKayak", every: 8, day: 1, time: "08:00", scheduled: false }
]

/** How far the past of a new demo reaches, and how far ahead trips are scheduled. */
export const days = { past: 28, ahead: 34 }

/** What starts on a date. */
export const departuresOn = (date: LocalDate.LocalDate, madeOn: LocalDate.LocalDate): ReadonlyArray<Departure> =>
  calendar
    .filter(({ day, every }) => modulo(date - madeOn - day, every) === 0)
    .map(({ scheduled, time, trip }) => ({ trip, date, day: date - madeOn, time, scheduled }))

const modulo = (n: number, by: number): number => (n % by + by) % by

/** Somebody's order, and what becomes of it. */
export interface Order {
  /** The same for the same order, whenever it is calculated. */
  readonly key: string
  readonly departure: Departure
  readonly guest: Guest
  readonly quantity: number
  readonly periods: number | undefined
  readonly notes: string | undefined
  readonly source: Source
  /** When it is booked, by the clocks in Salida. */
  readonly on: LocalDate.LocalDate
  readonly at: string
  /** Paid online, in the made-up way of the demo, a few minutes after. */
  readonly paid: boolean
  /** A day on which it changes, if one comes before the trip. */
  readonly later: { readonly on: LocalDate.LocalDate; readonly what: "cancelled" | "moved" } | undefined
}

/** Who wants to come along, if anybody does. */
export const ordersFor = (departure: Departure, seed: number): ReadonlyArray<Order> => {
  const { date, day, scheduled, time, trip } = departure
  const about = `${trip} ${day} ${time}`
  const bytes = seededBytes(seed, about)
  const dice = (sides: number): number => (bytes(1)[0] ?? 0) % sides
  return Array.from({ length: scheduled ? 1 + dice(3) : 1 }, (_, at) => {
    const lead = pickOne([2, 3, 4, 7, 12, 19], bytes)
    const on = LocalDate.addDays(date, -lead)
    const source = pickOne(["widget", "widget", "widget", "api", "dashboard"] as const, bytes)
    const change = pickOne(["cancelled", "moved", ...Array<undefined>(8).fill(undefined)] as const, bytes)
    return {
      key: seededKey(seed, `${about} ${at}`),
      departure,
      guest: pickOne(guests, bytes),
      quantity: scheduled ? 1 + dice(4) : 1 + dice(2),
      periods: trip === "touringKayak" ? 2 + dice(4) : undefined,
      notes: dice(4) === 0 ? pickOne(remarks, bytes) : undefined,
      source,
      on,
      at: `${String(8 + dice(12)).padStart(2, "0")}:${String(dice(60)).padStart(2, "0")}`,
      paid: source === "widget" && dice(3) > 0,
      later: change === undefined ? undefined : { on: LocalDate.addDays(on, Math.floor(lead / 2)), what: change }
    }
  })
}

const remarks = [
  "Anniversary trip.",
  "One of us is 6 foot 7.",
  "First time on a river.",
  "Bringing our own helmets.",
  "Vegetarian snacks, please.",
  "Two adults, one child of ten.",
  "Coming from Denver: please do not wait for us past nine.",
  "Gluten-free lunch for one."
] as const
