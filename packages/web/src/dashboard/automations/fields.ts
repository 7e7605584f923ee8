/**
 * The settings of automations as fields: how they are called, and within which bounds they are.
 */
import type { Limit } from "@trailbook/core/forecast/Limits"

/**
 * @category models
 */
export interface NumberField {
  readonly name: string
  readonly label: string
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly isWhole?: true
}

/**
 * @category constants
 */
export const limitFields: ReadonlyArray<
  NumberField & { readonly name: Exclude<Limit, "thunder"> | "look_ahead_hours" }
> = [
  { name: "max_wind_kph", label: "Highest wind", unit: "km/h", min: 0, max: 400 },
  { name: "max_gust_kph", label: "Strongest gust", unit: "km/h", min: 0, max: 400 },
  { name: "max_precip_mm", label: "Most rain over the trip", unit: "mm", min: 0, max: 2000 },
  { name: "max_precip_pct", label: "Highest chance of rain", unit: "%", min: 0, max: 100 },
  { name: "min_temp_c", label: "Lowest temperature", unit: "°C", min: -90, max: 60 },
  { name: "max_temp_c", label: "Highest temperature", unit: "°C", min: -90, max: 60 },
  { name: "min_flow_cfs", label: "Lowest river flow", unit: "cfs", min: -1_000_000, max: 10_000_000 },
  { name: "max_flow_cfs", label: "Highest river flow", unit: "cfs", min: -1_000_000, max: 10_000_000 },
  { name: "min_gage_ft", label: "Lowest river height", unit: "ft", min: -1000, max: 10_000 },
  { name: "max_gage_ft", label: "Highest river height", unit: "ft", min: -1000, max: 10_000 },
  { name: "look_ahead_hours", label: "Look ahead", unit: "hours, 48 when empty", min: 1, max: 336, isWhole: true }
]

/**
 * @category constants
 */
export const fillFields: ReadonlyArray<NumberField> = [
  {
    name: "full_pct",
    label: "Open the next day when so many seats are booked",
    unit: "%",
    min: 50,
    max: 100,
    isWhole: true
  },
  {
    name: "min_guests",
    label: "Guests that a departure needs",
    unit: "empty leaves small ones alone",
    min: 1,
    max: 10_000,
    isWhole: true
  },
  {
    name: "min_guests_hours",
    label: "Look at small departures so long before they start",
    unit: "hours",
    min: 1,
    max: 336,
    isWhole: true
  }
]

/**
 * What was typed as a number; a text that is none is handed on, for the operation to refuse it by its name.
 *
 * @category parsing
 */
export const readNumber = (typed: string | undefined): number | string | null => {
  const text = (typed ?? "").trim().replace(",", ".")
  if (text === "") return null
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}
