/**
 * The units for weather and river data in human-readable text. Stored values and the API are always metric: km/h, mm,
 * and °C. River flow and height are in cubic feet per second and feet for every outfitter, because the gauges report
 * them in these units.
 */
import type { UnitSystem } from "../org/units.ts"
import type { LimitName } from "./evaluateLimits.ts"

/** A measured quantity, named after the unit it is stored in. */
export type MeasuredQuantity = "kph" | "mm" | "c" | "pct" | "cfs" | "ft"

/** How a quantity is displayed. */
export interface DisplayScale {
  readonly unit: string
  /** The number of decimals to display. If null, the stored value is displayed as is. */
  readonly decimals: number | null
  readonly toShown: (value: number) => number
  readonly toStored: (value: number) => number
}

/** Returns a quantity's scale. */
export const getDisplayScale = (quantity: MeasuredQuantity, units: UnitSystem): DisplayScale =>
  (units === "us" ? usScales[quantity] : undefined) ?? { ...unchanged, unit: storedUnits[quantity] }

/** The quantity that each limit measures. */
export const limitQuantities: { readonly [Name in Exclude<LimitName, "thunder">]: MeasuredQuantity } = {
  max_wind_kph: "kph",
  max_gust_kph: "kph",
  max_precip_mm: "mm",
  max_precip_pct: "pct",
  min_temp_c: "c",
  max_temp_c: "c",
  min_flow_cfs: "cfs",
  max_flow_cfs: "cfs",
  min_gage_ft: "ft",
  max_gage_ft: "ft"
}

/** Returns a stored value as displayed in a form field, rounded to its scale's decimals. */
export const toDisplayValue = ({ decimals, toShown }: DisplayScale, value: number): number =>
  decimals === null ? value : roundTo(toShown(value), decimals)

/**
 * Returns the value to store for a value from a form field. `previousValue` is the stored value that the field showed.
 * If the user did not edit the value, the stored value is kept as is.
 */
export const toStoredValue = (scale: DisplayScale, value: number, previousValue?: number): number => {
  if (scale.decimals === null) return value
  return previousValue !== undefined && toDisplayValue(scale, previousValue) === value
    ? previousValue
    : roundTo(scale.toStored(value), storedDecimals)
}

/**
 * Stored values have more decimals than displayed values, so that a typed value is displayed exactly as it was typed.
 */
const storedDecimals = 4

const roundTo = (value: number, decimals: number): number => {
  const factor = 10 ** decimals
  // Add 0 to turn −0 into 0.
  return Math.round(value * factor) / factor + 0
}

const storedUnits: Readonly<Record<MeasuredQuantity, string>> = {
  kph: "km/h",
  mm: "mm",
  c: "°C",
  pct: "%",
  cfs: "cfs",
  ft: "ft"
}

const unchanged = { decimals: null, toShown: (value: number) => value, toStored: (value: number) => value }

const kphPerMph = 1.609344
const mmPerInch = 25.4

const usScales: { readonly [Name in MeasuredQuantity]?: DisplayScale } = {
  kph: {
    unit: "mph",
    decimals: 1,
    toShown: (kph) => kph / kphPerMph,
    toStored: (mph) => mph * kphPerMph
  },
  mm: { unit: "in", decimals: 2, toShown: (mm) => mm / mmPerInch, toStored: (inches) => inches * mmPerInch },
  c: {
    unit: "°F",
    decimals: 1,
    toShown: (celsius) => celsius * 9 / 5 + 32,
    toStored: (fahrenheit) => (fahrenheit - 32) * 5 / 9
  }
}
