import type { Offering } from "@trailbook/core/offering/Offering"
import * as Fields from "../Fields.ts"

/** Weekly hours are only read and written with their offering, so they are a JSON column and not a table. */
export const offeringTable = Fields.table<Offering>()({
  name: "offerings",
  key: ["org_id", "id"],
  fields: {
    id: "text",
    orgId: "text",
    kind: "text",
    name: "text",
    description: "text",
    location: "text",
    durationMinutes: "integer",
    capacity: "integer",
    maxPerBooking: "integer",
    priceCents: "integer",
    slotIntervalMinutes: "integer?",
    bufferMinutes: "integer",
    minNoticeMinutes: "integer",
    maxAdvanceDays: "integer",
    maxPeriods: "integer",
    active: "boolean",
    metadata: "json",
    lat: "real?",
    lon: "real?",
    gaugeSite: "text?",
    hours: "json",
    createdAt: "instant",
    deletedAt: "instant?",
    longestBookingMs: "integer",
    judgedAt: "instant"
  }
})
