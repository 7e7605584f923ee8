/**
 * The limits of a trip: what the weather and the river may be at most and at least.
 * One that is left out, or null, is none.
 *
 * @category models
 */
export interface Limits {
  readonly max_wind_kph?: number | null
  readonly max_gust_kph?: number | null
  /** Of the whole trip. */
  readonly max_precip_mm?: number | null
  readonly max_precip_pct?: number | null
  readonly min_temp_c?: number | null
  readonly max_temp_c?: number | null
  /** No trips in thunderstorms. */
  readonly thunder?: boolean | null
  readonly min_flow_cfs?: number | null
  readonly max_flow_cfs?: number | null
  readonly min_gage_ft?: number | null
  readonly max_gage_ft?: number | null
}

/**
 * @category models
 */
export type Limit = keyof Limits

/**
 * The limits of the river, which a gauge is asked for.
 *
 * @category constants
 */
export const riverLimits = ["min_flow_cfs", "max_flow_cfs", "min_gage_ft", "max_gage_ft"] as const

/**
 * Whether any of these is set.
 *
 * @category predicates
 */
export const isSet = (limits: Limits, names: ReadonlyArray<Limit>): boolean =>
  names.some((name) => limits[name] !== undefined && limits[name] !== null && limits[name] !== false)

/**
 * Every limit.
 *
 * @category constants
 */
export const limitNames = [
  "max_wind_kph",
  "max_gust_kph",
  "max_precip_mm",
  "max_precip_pct",
  "min_temp_c",
  "max_temp_c",
  "thunder",
  ...riverLimits
] as const satisfies ReadonlyArray<Limit>
