import * as Offering from "@trailbook/core/offering/Offering"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { hours } from "./hours.ts"
import { metadata } from "./metadata.ts"
import { text } from "./text.ts"

/** An integer in the range, often one of the bounds. */
const within = (min: number, max: number): FastCheck.Arbitrary<number> =>
  FastCheck.oneof(FastCheck.constantFrom(min, max), FastCheck.integer({ min, max }))

/** Elapsed minutes, whole days, and the minutes around whole days. */
export const durationMinutes: FastCheck.Arbitrary<number> = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.integer({ min: 1, max: 48 }).map((n) => n * 5) },
  { weight: 2, arbitrary: FastCheck.integer({ min: 1, max: 5 }).map((n) => n * 1440) },
  { weight: 2, arbitrary: FastCheck.constantFrom(5, 7, 50, 480, 719, 720, 1380, 1439, 1441, 1500, 2160) },
  { weight: 1, arbitrary: FastCheck.oneof(FastCheck.constantFrom(10_080, 43_200), within(5, 43_200)) }
)

export const slotIntervalMinutes: FastCheck.Arbitrary<number | null> = FastCheck.option(
  FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.constantFrom(5, 15, 20, 30, 45, 60, 90, 1440) },
    { weight: 1, arbitrary: within(5, 1440) }
  ),
  { freq: 3 }
)

export const bufferMinutes: FastCheck.Arbitrary<number> = FastCheck.oneof(
  { weight: 2, arbitrary: FastCheck.constant(0) },
  { weight: 3, arbitrary: FastCheck.constantFrom(5, 10, 15, 30, 60) },
  { weight: 1, arbitrary: within(0, 1440) }
)

/** Any valid settings. */
export const settings: FastCheck.Arbitrary<Offering.OfferingSettings> = FastCheck.record({
  name: text(120),
  description: text(200),
  location: text(200),
  durationMinutes,
  capacity: within(1, 10_000),
  maxPerBooking: within(1, 10_000),
  priceCents: within(0, 10_000_000_000),
  slotIntervalMinutes,
  bufferMinutes,
  minNoticeMinutes: within(0, 43_200),
  maxAdvanceDays: within(1, 730),
  maxPeriods: within(1, 60),
  active: FastCheck.boolean(),
  metadata,
  place: FastCheck.constantFrom({ lat: null, lon: null }, { lat: 38.5, lon: -106 }, { lat: 0, lon: 180 }),
  gaugeSite: FastCheck.option(text(40)),
  cancellationPolicy: FastCheck.constant(null),
  pricing: FastCheck.constant(null),
  photos: FastCheck.constant([]),
  info: FastCheck.constant(Offering.emptyTripInfo)
}).map(({ place, ...settings }) => ({ ...settings, ...place }))

/** A stored offering of any kind with any settings and suitable hours. */
export const offering: FastCheck.Arbitrary<Offering.Offering> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.uuid(),
  kind: FastCheck.constantFrom(...Offering.offeringKinds),
  createdAt: FastCheck.nat().map(Instant.make),
  settings,
  hours
}).map(({ hours, settings, ...fields }) => ({
  ...Offering.make({ ...fields, ...settings }),
  hours: fields.kind === "class" ? [] : hours
}))
