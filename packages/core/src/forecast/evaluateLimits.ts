/**
 * Evaluates a trip's limits with the available weather and river data.
 *
 * - A maximum (wind, gusts, probability of rain, heat, thunder) is violated if any known hour of the trip exceeds it.
 *   Unknown hours have no effect.
 * - A minimum (the lowest temperature) or a sum (the rain over the entire trip) needs data for every hour. An hour that
 *   the trip only partly covers counts proportionally.
 * - A river limit needs a gauge reading. The current reading is also used for the coming days.
 * - A value equal to the limit does not violate it.
 *
 * Missing data can therefore hide a violation, but it can never cause one.
 */
import type { Instant } from "../time/Instant.ts"
import type { ForecastHour, HourlyForecast, RiverReading, SignalUnavailable } from "./Signals.ts"

/** The limits on river levels, which need a gauge. */
export const riverLimitNames = ["min_flow_cfs", "max_flow_cfs", "min_gage_ft", "max_gage_ft"] as const

/** All limits. Precipitation limits apply to the entire trip. `thunder` forbids trips in thunderstorms. */
export const limitNames = [
  "max_wind_kph",
  "max_gust_kph",
  "max_precip_mm",
  "max_precip_pct",
  "min_temp_c",
  "max_temp_c",
  "thunder",
  ...riverLimitNames
] as const

export type LimitName = (typeof limitNames)[number]

/** The minimum and maximum values for a trip. Null or absent means no limit. */
export type TripLimits = { readonly [Name in LimitName]?: (Name extends "thunder" ? boolean : number) | null }

/** Returns whether any of these limits is set. */
export const hasAnyLimit = (limits: TripLimits, names: ReadonlyArray<LimitName>): boolean =>
  names.some((name) => limits[name] !== undefined && limits[name] !== null && limits[name] !== false)

/** A violated limit, with its bound and the value that violates it. */
export interface LimitViolation {
  readonly limit: LimitName
  /** The limit's value. For thunder, `bound` and `value` are 1. */
  readonly bound: number
  readonly value: number
}

/**
 * The result. `unknown` contains the limits that cannot be evaluated because of missing data, except maximums that are
 * known to be violated.
 */
export interface LimitEvaluation {
  readonly broken: ReadonlyArray<LimitViolation>
  readonly unknown: ReadonlyArray<LimitName>
}

/** The start and end of a trip. */
export interface TripWindow {
  readonly startsAt: Instant
  readonly endsAt: Instant
}

export const evaluateLimits = (
  limits: TripLimits,
  trip: TripWindow,
  weather: HourlyForecast | SignalUnavailable,
  river: RiverReading | SignalUnavailable
): LimitEvaluation => {
  const hours = weather._tag === "Hours" ? selectHours(weather.hours, trip) : []
  const isFullyCovered = covers(hours, trip)
  const violations: Array<LimitViolation> = []
  const unknown: Array<LimitName> = []

  const checkMaximum = (
    limit: LimitName,
    bound: number | null | undefined,
    getValue: (hour: ForecastHour) => number | null
  ) => {
    if (bound === undefined || bound === null) return
    const values = hours.map(getValue)
    const knownValues = values.filter(isKnown)
    const value = Math.max(...knownValues)
    if (knownValues.length > 0 && value > bound) violations.push({ limit, bound, value })
    else if (!isFullyCovered || knownValues.length < values.length) unknown.push(limit)
  }
  const getCompleteValues = (getValue: (hour: ForecastHour) => number | null): ReadonlyArray<number> | undefined => {
    const knownValues = hours.map(getValue).filter(isKnown)
    return isFullyCovered && knownValues.length === hours.length ? knownValues : undefined
  }
  const evaluateLimit = (
    limit: LimitName,
    bound: number | null | undefined,
    value: number | undefined,
    isViolated: (value: number, bound: number) => boolean
  ) => {
    if (bound === undefined || bound === null) return
    if (value === undefined) unknown.push(limit)
    else if (isViolated(value, bound)) violations.push({ limit, bound, value })
  }

  checkMaximum("max_wind_kph", limits.max_wind_kph, ({ windKph }) => windKph)
  checkMaximum("max_gust_kph", limits.max_gust_kph, ({ gustKph }) => gustKph)
  checkMaximum("max_precip_pct", limits.max_precip_pct, ({ precipPct }) => precipPct)
  checkMaximum("max_temp_c", limits.max_temp_c, ({ tempC }) => tempC)
  const thunder = new Set(hours.map(({ thunder }) => thunder))
  if (limits.thunder === true) {
    if (thunder.has(true)) violations.push({ limit: "thunder", bound: 1, value: 1 })
    else if (!isFullyCovered || thunder.has(null)) unknown.push("thunder")
  }

  const rain = getCompleteValues(({ precipMm }) => precipMm)
  const rainMm = rain?.reduce((sum, mm, at) => sum + mm * computeShare(hours[at], trip), 0)
  // Partial hours can add up to amounts such as 2.0000000000000004.
  evaluateLimit("max_precip_mm", limits.max_precip_mm, rainMm && Math.round(rainMm * 1000) / 1000, isAbove)
  const temperatures = getCompleteValues(({ tempC }) => tempC)
  evaluateLimit("min_temp_c", limits.min_temp_c, temperatures && Math.min(...temperatures), isBelow)

  const flow = river._tag === "River" ? river.flowCfs?.value : undefined
  const height = river._tag === "River" ? river.gageFt?.value : undefined
  evaluateLimit("min_flow_cfs", limits.min_flow_cfs, flow, isBelow)
  evaluateLimit("max_flow_cfs", limits.max_flow_cfs, flow, isAbove)
  evaluateLimit("min_gage_ft", limits.min_gage_ft, height, isBelow)
  evaluateLimit("max_gage_ft", limits.max_gage_ft, height, isAbove)
  return { broken: violations, unknown }
}

const isAbove = (value: number, bound: number): boolean => value > bound
const isBelow = (value: number, bound: number): boolean => value < bound

const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value)

const selectHours = (
  hours: ReadonlyArray<ForecastHour>,
  { endsAt, startsAt }: TripWindow
): ReadonlyArray<ForecastHour> =>
  hours.filter(({ from, to }) => from < endsAt && to > startsAt && to > from).toSorted((a, b) => a.from - b.from)

/** Returns whether consecutive hours cover the window without a gap. */
const covers = (hours: ReadonlyArray<ForecastHour>, { endsAt, startsAt }: TripWindow): boolean => {
  let coveredUntil: number = startsAt
  for (const { from, to } of hours) {
    if (from > coveredUntil) return false
    coveredUntil = Math.max(coveredUntil, to)
  }
  return coveredUntil >= endsAt
}

/** Returns how much of the hour the trip covers, from 0 to 1. */
const computeShare = (hour: ForecastHour | undefined, { endsAt, startsAt }: TripWindow): number =>
  hour === undefined
    ? 0
    : (Math.min(hour.to, endsAt) - Math.max(hour.from, startsAt)) / (hour.to - hour.from)
