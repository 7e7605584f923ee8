/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import * as LocalTime from "../time/LocalTime.ts"
import { Id, Integer, Metadata, Timestamp } from "../wire/View.ts"
import { type HoursEntry, kinds, type Offering } from "./Offering.ts"

/**
 * @since 0.1.0
 * @category schemas
 */
export const KindView = Schema.Literal(...kinds)

/**
 * The offering on the wire (§2.1).
 *
 * @since 0.1.0
 * @category schemas
 */
export const OfferingView = Schema.Struct({
  id: Id,
  org_id: Id,
  kind: KindView,
  name: Schema.String,
  description: Schema.String,
  location: Schema.String,
  duration_minutes: Integer,
  capacity: Integer,
  max_per_booking: Integer,
  price_cents: Integer,
  slot_interval_minutes: Schema.NullOr(Integer),
  buffer_minutes: Integer,
  min_notice_minutes: Integer,
  max_advance_days: Integer,
  max_periods: Integer,
  active: Schema.Boolean,
  metadata: Metadata,
  lat: Schema.NullOr(Schema.Number.annotations({ jsonSchema: { type: "number" } })),
  lon: Schema.NullOr(Schema.Number.annotations({ jsonSchema: { type: "number" } })),
  gauge_site: Schema.NullOr(Schema.String),
  created_at: Timestamp
}).annotations({ identifier: "Offering" })
export type OfferingView = typeof OfferingView.Type

/**
 * @since 0.1.0
 * @category converting
 */
export const offeringView = (offering: Offering): OfferingView => ({
  id: offering.id,
  org_id: offering.orgId,
  kind: offering.kind,
  name: offering.name,
  description: offering.description,
  location: offering.location,
  duration_minutes: offering.durationMinutes,
  capacity: offering.capacity,
  max_per_booking: offering.maxPerBooking,
  price_cents: offering.priceCents,
  slot_interval_minutes: offering.slotIntervalMinutes,
  buffer_minutes: offering.bufferMinutes,
  min_notice_minutes: offering.minNoticeMinutes,
  max_advance_days: offering.maxAdvanceDays,
  max_periods: offering.maxPeriods,
  active: offering.active,
  metadata: offering.metadata,
  lat: offering.lat,
  lon: offering.lon,
  gauge_site: offering.gaugeSite,
  created_at: Instant.format(offering.createdAt)
})

/**
 * A weekly opening on the wire (§2.2); times as HH:MM:SS.
 *
 * @since 0.1.0
 * @category schemas
 */
export const HoursEntryView = Schema.Struct({
  weekday: Integer,
  start_time: Schema.String,
  end_time: Schema.String
}).annotations({ identifier: "HoursEntry" })
export type HoursEntryView = typeof HoursEntryView.Type

/**
 * @since 0.1.0
 * @category converting
 */
export const hoursEntryView = ({ endTime, startTime, weekday }: HoursEntry): HoursEntryView => ({
  weekday,
  start_time: LocalTime.format(startTime),
  end_time: LocalTime.format(endTime)
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const OfferingWithHoursView = Schema.Struct({
  ...OfferingView.fields,
  hours: Schema.Array(HoursEntryView)
}).annotations({ identifier: "OfferingWithHours" })
