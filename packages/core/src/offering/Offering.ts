import * as Instant from "../time/Instant.ts"
import type { LocalTime } from "../time/LocalTime.ts"
import type { Metadata } from "../wire/Field.ts"

/**
 * The kinds of offering: scheduled sessions with seats, slots derived from
 * weekly opening hours, and items booked over periods.
 *
 * @category models
 */
export const kinds = ["class", "appointment", "rental"] as const

/**
 * @category models
 */
export type Kind = (typeof kinds)[number]

/**
 * A weekly opening, local to the org. `endTime` is after `formatStartTime`.
 *
 * @category models
 */
export interface HoursEntry {
  /** 0 = Sunday … 6 = Saturday */
  readonly weekday: number
  readonly startTime: LocalTime
  readonly endTime: LocalTime
}

/**
 * Something that guests can book.
 *
 * @category models
 */
export interface Offering {
  readonly id: string
  readonly orgId: string
  readonly kind: Kind
  readonly name: string
  readonly description: string
  readonly location: string
  /** Length of a class session or appointment, or of one rental period. */
  readonly durationMinutes: number
  /** Seats per session, parallel bookings per slot, or items in stock. */
  readonly capacity: number
  readonly maxPerBooking: number
  /** Per seat, per booking, or per item and period. */
  readonly priceCents: number
  /** Minutes between starts; null means back to back. */
  readonly slotIntervalMinutes: number | null
  readonly bufferMinutes: number
  readonly minNoticeMinutes: number
  readonly maxAdvanceDays: number
  readonly maxPeriods: number
  /** False: paused, cannot be booked and stays visible to the org. */
  readonly active: boolean
  readonly metadata: Metadata
  readonly lat: number | null
  readonly lon: number | null
  readonly gaugeSite: string | null
  /** Empty for classes: they are open when they have sessions. */
  readonly hours: ReadonlyArray<HoursEntry>
  readonly createdAt: Instant.Instant
  /** Deleted offerings stay on record for the sake of their past bookings. */
  readonly deletedAt: Instant.Instant | null
  /**
   * The longest booking ever made here, in milliseconds: no booking that starts
   * earlier than this before a moment can reach it. Stores bound their reading
   * by it; the wire does not know it.
   */
  readonly longestBookingMs: number
  /** Holds of it that ended by then are over, whatever a clock says (`capacity/judged.ts`); the wire does not know it. */
  readonly judgedAt: Instant.Instant
}

/**
 * @category models
 */
export type Settings = Omit<
  Offering,
  "id" | "orgId" | "kind" | "hours" | "createdAt" | "deletedAt" | "longestBookingMs" | "judgedAt"
>

const nineToFive: ReadonlyArray<HoursEntry> = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
  weekday,
  startTime: (9 * 3600) as LocalTime,
  endTime: (17 * 3600) as LocalTime
}))

const byKind = {
  class: { durationMinutes: 120, capacity: 10, maxPerBooking: 10, maxPeriods: 1, hours: [] },
  appointment: { durationMinutes: 60, capacity: 1, maxPerBooking: 10, maxPeriods: 1, hours: nineToFive },
  rental: { durationMinutes: 1440, capacity: 1, maxPerBooking: 10, maxPeriods: 30, hours: nineToFive }
} as const

/**
 * An offering with the defaults of its kind for everything left out: name and
 * kind alone make one that can be booked.
 *
 * @category constructors
 */
export const make = (
  given: Pick<Offering, "id" | "orgId" | "kind" | "name" | "createdAt"> & Partial<Settings>
): Offering => ({
  description: "",
  location: "",
  priceCents: 0,
  slotIntervalMinutes: null,
  bufferMinutes: 0,
  minNoticeMinutes: 0,
  maxAdvanceDays: 365,
  active: true,
  metadata: {},
  lat: null,
  lon: null,
  gaugeSite: null,
  deletedAt: null,
  longestBookingMs: 0,
  judgedAt: Instant.make(0),
  ...byKind[given.kind],
  ...given
})
