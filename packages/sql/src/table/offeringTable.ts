import type { Kind, Offering } from "@trailbook/core/offering/Offering"
import * as Table from "../Table.ts"

/**
 * Hours are read and written with their offering only, so they are a column of
 * it and not a table.
 *
 * @category tables
 */
export const offeringTable = Table.make({
  name: "offerings",
  key: ["org_id", "id"],
  columns: {
    org_id: "text",
    id: "text",
    kind: "text",
    name: "text",
    description: "text",
    location: "text",
    duration_minutes: "integer",
    capacity: "integer",
    max_per_booking: "integer",
    price_cents: "integer",
    slot_interval_minutes: "integer?",
    buffer_minutes: "integer",
    min_notice_minutes: "integer",
    max_advance_days: "integer",
    max_periods: "integer",
    active: "boolean",
    metadata: "json",
    lat: "real?",
    lon: "real?",
    gauge_site: "text?",
    hours: "json",
    created_at: "instant",
    deleted_at: "instant?",
    longest_booking_ms: "integer",
    judged_at: "instant"
  },
  decode: (row): Offering => ({
    id: row.id,
    orgId: row.org_id,
    kind: row.kind as Kind,
    name: row.name,
    description: row.description,
    location: row.location,
    durationMinutes: row.duration_minutes,
    capacity: row.capacity,
    maxPerBooking: row.max_per_booking,
    priceCents: row.price_cents,
    slotIntervalMinutes: row.slot_interval_minutes,
    bufferMinutes: row.buffer_minutes,
    minNoticeMinutes: row.min_notice_minutes,
    maxAdvanceDays: row.max_advance_days,
    maxPeriods: row.max_periods,
    active: Boolean(row.active),
    metadata: JSON.parse(row.metadata),
    lat: row.lat,
    lon: row.lon,
    gaugeSite: row.gauge_site,
    hours: JSON.parse(row.hours),
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    longestBookingMs: row.longest_booking_ms,
    judgedAt: row.judged_at
  }),
  encode: (offering) => ({
    org_id: offering.orgId,
    id: offering.id,
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
    hours: offering.hours,
    created_at: offering.createdAt,
    deleted_at: offering.deletedAt,
    longest_booking_ms: offering.longestBookingMs,
    judged_at: offering.judgedAt
  })
})
