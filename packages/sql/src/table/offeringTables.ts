import type { Closure, DiscountCode } from "@trailbook/core/offering"
import type { Offering } from "@trailbook/core/offering/Offering"
import type { Session } from "@trailbook/core/session"
import * as Table from "../Table.ts"

/**
 * Weekly hours are a JSON column instead of a table, because the hours are read and written only with their offering.
 */
export const offeringTable = Table.of<Offering>()({
  name: "offerings",
  fields: {
    ...Table.orgKeyFields,
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
    photos: "json",
    info: "json",
    hours: "json",
    pricing: "json",
    cancellationPolicy: "json",
    createdAt: "instant",
    deletedAt: "instant?",
    longestBookingMs: "integer",
    judgedAt: "instant"
  }
})

export const sessionTable = Table.of<Session>()({
  name: "sessions",
  fields: {
    ...Table.orgKeyFields,
    offeringId: "text",
    startsAt: "instant",
    endsAt: "instant",
    capacity: "integer?",
    status: "text",
    notes: "text",
    createdAt: "instant",
    judgedAt: "instant"
  }
})

export const closureTable = Table.of<Closure>()({
  name: "closures",
  fields: {
    ...Table.orgKeyFields,
    fromDate: "integer",
    toDate: "integer",
    startTime: "integer?",
    endTime: "integer?",
    offeringId: "text?",
    reason: "text",
    createdAt: "instant"
  }
})

export const discountTable = Table.of<DiscountCode>()({
  name: "discounts",
  fields: {
    ...Table.orgKeyFields,
    code: "text",
    percentBps: "integer?",
    cents: "integer?",
    offeringIds: "json",
    bookFrom: "integer?",
    bookUntil: "integer?",
    startFrom: "integer?",
    startUntil: "integer?",
    maxUses: "integer?",
    active: "boolean",
    returnsOnCancel: "boolean",
    createdAt: "instant"
  }
})
