import {
  type Closure,
  type DiscountCode,
  hoursEntryView,
  type offeringsCreate,
  type offeringsSetHours
} from "@trailbook/core/offering"
import {
  type HoursEntry,
  maxPhotos,
  type Offering,
  offeringKinds,
  syncFirstRate
} from "@trailbook/core/offering/Offering"
import { type Session, sessionStatuses } from "@trailbook/core/session"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as FastCheck from "effect/FastCheck"
import type * as Schema from "effect/Schema"
import { moment, momentOrNull, origin, span } from "./moment.ts"
import { cancellationPolicy, optional, pricing, withoutUndefined } from "./pricing.ts"
import { metadata, text } from "./text.ts"

const secondsPerDay = 86_400
const today = Math.floor(origin / (secondsPerDay * 1000))

const makeEntry = (weekday: number, start: number, end: number): HoursEntry => ({
  weekday,
  startTime: LocalTime.make(start),
  endTime: LocalTime.make(end)
})

/**
 * Wall times that are likely to coincide: mostly on the hour or quarter hour, which includes DST transitions and both
 * ends of the day.
 */
const second = FastCheck.oneof(
  { arbitrary: FastCheck.integer({ min: 0, max: 24 }).map((hour) => hour * 3600), weight: 4 },
  { arbitrary: FastCheck.integer({ min: 0, max: 96 }).map((quarter) => quarter * 900), weight: 2 },
  { arbitrary: FastCheck.integer({ min: 0, max: secondsPerDay }), weight: 1 }
)

const hoursEntry = FastCheck.tuple(FastCheck.integer({ min: 0, max: 6 }), second, second).filter(([, a, b]) => a !== b)
  .map(
    ([weekday, a, b]) => makeEntry(weekday, Math.min(a, b), Math.max(a, b))
  )

const makeDailyEntries = (start: number, end: number) =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => makeEntry(weekday, start, end))

/** Adjacent windows that leave no gaps and are the same every day. They merge, even across midnight. */
const adjacentHours = FastCheck.uniqueArray(second, { maxLength: 4 }).map((cuts) => {
  const ends = [0, ...cuts.filter((cut) => cut > 0 && cut < secondsPerDay), secondsPerDay].sort((a, b) => a - b)
  return ends.slice(1).flatMap((end, at) => makeDailyEntries(ends[at] ?? 0, end))
})

const weekly = FastCheck.oneof(
  { arbitrary: FastCheck.array(hoursEntry, { maxLength: 12 }), weight: 4 },
  { arbitrary: adjacentHours, weight: 2 },
  { arbitrary: FastCheck.constant(makeDailyEntries(9 * 3600, 17 * 3600)), weight: 2 },
  {
    arbitrary: FastCheck.constant([...makeDailyEntries(22 * 3600, secondsPerDay), ...makeDailyEntries(0, 2 * 3600)]),
    weight: 1
  },
  { arbitrary: FastCheck.constant(makeDailyEntries(0, secondsPerDay)), weight: 1 }
)

/** A date within three days of the generated instants. */
const date = FastCheck.integer({ min: -3, max: 3 }).map((days) => LocalDate.make(today + days))

/** When a window applies: always, in a season, or on a single date. */
const limits = FastCheck.oneof<FastCheck.MaybeWeightedArbitrary<Partial<HoursEntry>>[]>(
  { arbitrary: FastCheck.constant({}), weight: 6 },
  { arbitrary: date.map((validFrom) => ({ validFrom })), weight: 1 },
  { arbitrary: date.map((validUntil) => ({ validUntil })), weight: 1 },
  {
    arbitrary: FastCheck.tuple(date, date).map(([a, b]) =>
      a < b ? { validFrom: a, validUntil: b } : { validFrom: b, validUntil: a }
    ),
    weight: 1
  },
  { arbitrary: date.map((date) => ({ date, weekday: LocalDate.weekday(date) })), weight: 1 }
)

/**
 * Opening hours: none, arbitrary with overlaps, adjacent, a night split at midnight into two entries, or always open.
 * Some entries are limited to a season or a single date.
 */
export const hours: FastCheck.Arbitrary<ReadonlyArray<HoursEntry>> = FastCheck.oneof(
  { arbitrary: weekly, weight: 3 },
  {
    arbitrary: FastCheck.tuple(weekly, FastCheck.array(limits, { maxLength: 14 })).map(([entries, limits]) =>
      entries.map((entry, at) => ({ ...entry, ...limits[at] }))
    ),
    weight: 1
  }
)

/** Opening hours in API format. */
export const hoursInput = hours.map((entries) => entries.map(hoursEntryView))

/** Generates a number in a range, usually one of its bounds. */
const integerWithin = (min: number, max: number) =>
  FastCheck.oneof(FastCheck.constantFrom(min, max), FastCheck.integer({ min, max }))

const place = FastCheck.option(
  FastCheck.record({
    lat: FastCheck.double({ min: -90, max: 90, noNaN: true }).map((lat) => lat + 0),
    lon: FastCheck.double({ min: -180, max: 180, noNaN: true }).map((lon) => lon + 0)
  }),
  { nil: { lat: null, lon: null } }
)

const photo = FastCheck.record({
  id: FastCheck.uuid(),
  alt: text(200),
  width: integerWithin(1, 1600),
  height: integerWithin(1, 1600)
})

/** An offering of any kind with any valid settings, without an org. Some offerings are deleted. */
export const offering: FastCheck.Arbitrary<Offering> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  kind: FastCheck.constantFrom(...offeringKinds),
  name: text(120),
  description: text(2000),
  location: text(200),
  durationMinutes: integerWithin(5, 43_200),
  capacity: integerWithin(1, 10_000),
  maxPerBooking: integerWithin(1, 10_000),
  priceCents: integerWithin(0, 10_000_000_000),
  slotIntervalMinutes: FastCheck.option(integerWithin(5, 1440)),
  bufferMinutes: integerWithin(0, 1440),
  minNoticeMinutes: integerWithin(0, 43_200),
  maxAdvanceDays: integerWithin(1, 730),
  maxPeriods: integerWithin(1, 60),
  active: FastCheck.boolean(),
  metadata,
  place,
  gaugeSite: FastCheck.option(text(40)),
  pricing: FastCheck.option(pricing),
  photos: FastCheck.array(photo, { maxLength: maxPhotos }),
  info: FastCheck.record({
    bring: text(1000),
    requirements: text(1000),
    min_age: FastCheck.option(integerWithin(0, 120)),
    waiver_url: FastCheck.option(FastCheck.webUrl({ validSchemes: ["https"] }))
  }),
  cancellationPolicy: FastCheck.option(cancellationPolicy),
  hours,
  createdAt: moment,
  deletedAt: momentOrNull,
  longestBookingMs: integerWithin(0, 60 * 43_200 * 60_000),
  judgedAt: moment
}).map(({ place, ...offering }) => ({
  ...offering,
  ...place,
  ...syncFirstRate(null, { pricing: offering.pricing }),
  hours: offering.kind === "class" ? [] : offering.hours
}))

/** A session without an org or offering. */
export const session: FastCheck.Arbitrary<Session> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  offeringId: FastCheck.constant(""),
  span,
  capacity: FastCheck.option(FastCheck.integer({ min: 1, max: 10_000 })),
  status: FastCheck.constantFrom(...sessionStatuses),
  notes: text(2000),
  createdAt: moment,
  judgedAt: moment
}).map(({ span, ...session }) => ({ ...session, ...span }))

/** A closure within three days of the generated instants, for all offerings and without an org. */
export const closure: FastCheck.Arbitrary<Closure> = FastCheck.record({
  id: FastCheck.uuid(),
  fromDate: FastCheck.integer({ min: -3, max: 3 }),
  days: FastCheck.nat(3),
  hours: FastCheck.option(FastCheck.uniqueArray(FastCheck.nat(24), { minLength: 2, maxLength: 2 })),
  reason: text(200),
  createdAt: moment
}).map(({ days, fromDate, hours, ...closure }) => {
  const [from = 0, to = 0] = (hours ?? []).toSorted((a, b) => a - b)
  return {
    ...closure,
    orgId: "",
    fromDate: LocalDate.make(today + fromDate),
    toDate: LocalDate.make(today + fromDate + days),
    startTime: hours === null ? null : LocalTime.make(from * 3600),
    endTime: hours === null ? null : LocalTime.make(to * 3600),
    offeringId: null
  }
})

/** Input for `offerings.create`, with the hours of `offerings.set_hours`. */
type OfferingInput = Schema.Schema.Encoded<typeof offeringsCreate.input> & {
  readonly hours?: Schema.Schema.Encoded<typeof offeringsSetHours.input>["hours"]
}

/** The maximum number of entries per request. */
const mostHours = 50

const settings = {
  description: optional(text(2000)),
  duration_minutes: optional(FastCheck.constantFrom(5, 45, 60, 240, 1440, 1500, 2880)),
  capacity: optional(FastCheck.constantFrom(1, 2, 5)),
  max_per_booking: optional(FastCheck.constantFrom(1, 2, 4)),
  price_cents: optional(FastCheck.constantFrom(0, 999, 10_000)),
  slot_interval_minutes: optional(FastCheck.constantFrom(null, 15, 30, 45, 120, 1440)),
  buffer_minutes: optional(FastCheck.constantFrom(0, 15, 60, 1440)),
  min_notice_minutes: optional(FastCheck.constantFrom(0, 60, 1440, 20_000)),
  max_advance_days: optional(FastCheck.constantFrom(1, 14, 365, 730)),
  max_periods: optional(FastCheck.constantFrom(1, 3, 60))
}

/**
 * Input for `offerings.create` and `offerings.set_hours`. Capacities are small, so that bookings compete, and some
 * settings do not divide each other evenly. All fields except name and kind are optional, and a class has no hours.
 */
export const offeringInput: FastCheck.Arbitrary<OfferingInput> = FastCheck.record({
  name: text(120).filter((name) => name.trim() !== ""),
  kind: FastCheck.constantFrom(...offeringKinds),
  bare: FastCheck.oneof(
    { arbitrary: FastCheck.constant(false), weight: 9 },
    { arbitrary: FastCheck.constant(true), weight: 1 }
  ),
  hours: optional(hoursInput.map((entries) => entries.slice(0, mostHours))),
  ...settings
}).map(({ bare, hours, kind, name, ...settings }) => ({
  name,
  kind,
  ...(bare ? {} : withoutUndefined(settings)),
  ...(bare || hours === undefined || kind === "class" ? {} : { hours })
}))

const codeDates = FastCheck.tuple(
  FastCheck.option(FastCheck.integer({ min: -3, max: 3 })),
  FastCheck.option(FastCheck.integer({ min: 3, max: 9 }))
).map((days) => days.map((day) => day === null ? null : LocalDate.make(today + day)))

/** A discount code without its org. */
export const discountCode: FastCheck.Arbitrary<DiscountCode> = FastCheck.record({
  id: FastCheck.uuid(),
  code: FastCheck.stringMatching(/^[A-Z0-9_-]{1,40}$/),
  amount: FastCheck.oneof(
    FastCheck.record({ percentBps: FastCheck.nat(10_000), cents: FastCheck.constant(null) }),
    FastCheck.record({ percentBps: FastCheck.constant(null), cents: FastCheck.nat(10_000_000_000) })
  ),
  offeringIds: FastCheck.option(FastCheck.array(FastCheck.uuid(), { maxLength: 3 })),
  book: codeDates,
  start: codeDates,
  maxUses: FastCheck.option(FastCheck.integer({ min: 1, max: 1_000_000 })),
  active: FastCheck.boolean(),
  returnsOnCancel: FastCheck.boolean(),
  createdAt: moment
}).map((
  { amount, book: [bookFrom = null, bookUntil = null], start: [startFrom = null, startUntil = null], ...rest }
) => ({
  ...rest,
  ...amount,
  orgId: "",
  bookFrom,
  bookUntil,
  startFrom,
  startUntil
}))
