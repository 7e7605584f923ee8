import type { Kind } from "@trailbook/core/offering/Offering"
import type { OfferingView } from "@trailbook/core/offering/OfferingView"
import type { Form } from "@trailbook/http/form"
import * as Effect from "effect/Effect"
import { metadataIn, typedMetadata } from "../parts/metadata.ts"
import { amountIn, formatInput } from "../parts/money.ts"
import { readInteger, readMinutes, readOptionalNumber, typedMinutes } from "../parts/numbers.ts"
import { kinds } from "./kinds.ts"

/** Field labels, also used in error messages. */
export const fieldLabels = (kind: Kind) => ({
  name: "Name",
  description: "Description",
  location: "Meeting point",
  price: kinds[kind].price,
  duration: kinds[kind].length,
  capacity: kinds[kind].capacity,
  max_per_booking: kinds[kind].most,
  max_periods: "Maximum periods per booking",
  interval: "Start every",
  buffer: "Buffer after each booking",
  notice: "Minimum notice",
  max_advance_days: "Booking window (days ahead)",
  lat: "Latitude",
  lon: "Longitude",
  gauge_site: "River gauge",
  metadata: "Custom data (JSON)"
})

/** Operation field names that differ from the form field names. */
export const fieldAliases = {
  price_cents: "price",
  duration_minutes: "duration",
  slot_interval_minutes: "interval",
  buffer_minutes: "buffer",
  min_notice_minutes: "notice"
}

/** Offering as form values. */
export const typedSettings = (offering: OfferingView, currency: string): Record<string, string> => {
  const { buffer_minutes, duration_minutes, lat, lon, metadata, min_notice_minutes, slot_interval_minutes } = offering
  return {
    name: offering.name,
    description: offering.description,
    location: offering.location,
    price: formatInput(offering.price_cents, currency),
    ...typedMinutes("duration", duration_minutes),
    capacity: String(offering.capacity),
    max_per_booking: String(offering.max_per_booking),
    max_periods: String(offering.max_periods),
    ...(slot_interval_minutes === null
      ? { interval: "", interval_unit: "minutes" }
      : typedMinutes("interval", slot_interval_minutes)),
    ...typedMinutes("buffer", buffer_minutes),
    ...(buffer_minutes === 0 ? { buffer_unit: "minutes" } : {}),
    ...typedMinutes("notice", min_notice_minutes),
    max_advance_days: String(offering.max_advance_days),
    lat: lat === null ? "" : String(lat),
    lon: lon === null ? "" : String(lon),
    gauge_site: offering.gauge_site ?? "",
    metadata: typedMetadata(metadata)
  }
}

/** Submitted fields as operation input. Fields that the kind does not have are omitted. */
export const settingsIn = (form: Form, kind: Kind, currency: string) =>
  Effect.gen(function*() {
    const gauge = (form["gauge_site"] ?? "").trim()
    const common = {
      name: form["name"] ?? "",
      description: form["description"] ?? "",
      location: form["location"] ?? "",
      price_cents: yield* amountIn(form, "price", currency),
      duration_minutes: yield* readMinutes(form, "duration"),
      capacity: yield* readInteger(form, "capacity"),
      max_per_booking: yield* readInteger(form, "max_per_booking"),
      min_notice_minutes: yield* readMinutes(form, "notice"),
      max_advance_days: yield* readInteger(form, "max_advance_days"),
      lat: yield* readOptionalNumber(form, "lat"),
      lon: yield* readOptionalNumber(form, "lon"),
      gauge_site: gauge === "" ? null : gauge,
      metadata: yield* metadataIn(form)
    }
    if (kind === "class") return common
    const gridded = {
      ...common,
      slot_interval_minutes: (form["interval"] ?? "").trim() === "" ? null : yield* readMinutes(form, "interval"),
      buffer_minutes: yield* readMinutes(form, "buffer")
    }
    return kind === "rental" ? { ...gridded, max_periods: yield* readInteger(form, "max_periods") } : gridded
  })
