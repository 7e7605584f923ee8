import type { CancellationPolicy } from "../pricing/CancellationPolicy.ts"
import type { Pricing } from "../pricing/Pricing.ts"
import * as Instant from "../time/Instant.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { LocalTime } from "../time/LocalTime.ts"
import type { Metadata } from "../wire/Field.ts"

/**
 * The kinds of offerings. A class has scheduled sessions with seats. An appointment has slots derived from opening
 * hours. A rental has items booked by the period.
 */
export const offeringKinds = ["class", "appointment", "rental"] as const

export type OfferingKind = (typeof offeringKinds)[number]

/**
 * An opening in the org's local time. It applies every week, every week of a season, or on a single date. `endTime` is
 * after `startTime`.
 */
export interface HoursEntry {
  /** 0 = Sunday … 6 = Saturday */
  readonly weekday: number
  readonly startTime: LocalTime
  readonly endTime: LocalTime
  /** The first and last date of the season in which a weekly opening applies, both inclusive. */
  readonly validFrom?: LocalDate
  readonly validUntil?: LocalDate
  /** The single date that this opening applies to. Openings for a date replace that date's weekly openings. */
  readonly date?: LocalDate
}

/** An offering photo, stored as WebP in two widths. `width` and `height` describe the larger file. */
export interface Photo {
  readonly id: string
  /** A description for people who cannot see the photo. */
  readonly alt: string
  readonly width: number
  readonly height: number
}

export const maxPhotos = 8

/** Information for guests before the trip. The fields are named as in the API. */
export interface TripInfo {
  readonly bring: string
  readonly requirements: string
  readonly min_age: number | null
  readonly waiver_url: string | null
}

export const emptyTripInfo: TripInfo = { bring: "", requirements: "", min_age: null, waiver_url: null }

/** An activity that guests can book. */
export interface Offering {
  readonly id: string
  readonly orgId: string
  readonly kind: OfferingKind
  readonly name: string
  readonly description: string
  readonly location: string
  /** The length of a session, an appointment, or one rental period. */
  readonly durationMinutes: number
  /** The number of seats per session, parallel bookings per slot, or items in stock. */
  readonly capacity: number
  readonly maxPerBooking: number
  /** The price per seat, per booking, or per item and period. With `pricing`, this is the first rate's price. */
  readonly priceCents: number
  /** The minutes between two starts. Null means back to back. */
  readonly slotIntervalMinutes: number | null
  readonly bufferMinutes: number
  readonly minNoticeMinutes: number
  readonly maxAdvanceDays: number
  readonly maxPeriods: number
  /** Whether the offering can be booked. A paused offering stays visible to the org. */
  readonly active: boolean
  readonly metadata: Metadata
  readonly lat: number | null
  readonly lon: number | null
  readonly gaugeSite: string | null
  /** The rates and extras. Null means a single rate at `priceCents`. */
  readonly pricing: Pricing | null
  readonly photos: ReadonlyArray<Photo>
  readonly info: TripInfo
  /** This offering's policy. Null means the org's policy. */
  readonly cancellationPolicy: CancellationPolicy | null
  /** The opening hours. Empty for classes, which have sessions instead. */
  readonly hours: ReadonlyArray<HoursEntry>
  readonly createdAt: Instant.Instant
  /** Deleted offerings are kept, because past bookings refer to them. */
  readonly deletedAt: Instant.Instant | null
  /**
   * The length of the longest booking ever made for this offering, in milliseconds. Stores use the length to bound
   * their queries: a booking that starts more than this long before a time cannot overlap that time. This field is not
   * part of the API.
   */
  readonly longestBookingMs: number
  /**
   * Holds that expire at or before this time count as expired, regardless of the clock (`PlaceClock`). This field is
   * not part of the API.
   */
  readonly judgedAt: Instant.Instant
}

export type OfferingSettings = Omit<
  Offering,
  "id" | "orgId" | "kind" | "hours" | "createdAt" | "deletedAt" | "longestBookingMs" | "judgedAt"
>

const nineToFive: ReadonlyArray<HoursEntry> = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
  weekday,
  startTime: (9 * 3600) as LocalTime,
  endTime: (17 * 3600) as LocalTime
}))

const kindDefaults = {
  class: { durationMinutes: 120, capacity: 10, maxPerBooking: 10, maxPeriods: 1, hours: [] },
  appointment: { durationMinutes: 60, capacity: 1, maxPerBooking: 10, maxPeriods: 1, hours: nineToFive },
  rental: { durationMinutes: 1440, capacity: 1, maxPerBooking: 10, maxPeriods: 30, hours: nineToFive }
} as const

/** Creates an offering with the defaults for its kind. A name and a kind are enough to make it bookable. */
export const make = (
  input: Pick<Offering, "id" | "orgId" | "kind" | "name" | "createdAt"> & Partial<OfferingSettings>
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
  pricing: null,
  photos: [],
  info: emptyTripInfo,
  cancellationPolicy: null,
  deletedAt: null,
  longestBookingMs: 0,
  judgedAt: Instant.make(0),
  ...kindDefaults[input.kind],
  ...input,
  ...syncFirstRate(null, input)
})

/**
 * Keeps `priceCents` equal to the first rate's price. If a patch contains both `priceCents` and `pricing`, `pricing`
 * takes precedence.
 */
export const syncFirstRate = (before: Pricing | null, patch: Partial<OfferingSettings>): Partial<OfferingSettings> => {
  const { priceCents, pricing = before } = patch
  const [first, ...others] = pricing?.rates ?? []
  if (pricing === null || first === undefined) return patch
  if (patch.pricing !== undefined) return { ...patch, priceCents: first.price_cents }
  return priceCents === undefined
    ? patch
    : { ...patch, pricing: { ...pricing, rates: [{ ...first, price_cents: priceCents }, ...others] } }
}
