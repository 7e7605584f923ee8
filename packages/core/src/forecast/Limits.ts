/**
 * The limits of the river, which a gauge is asked for.
 *
 * @category constants
 */
export const riverLimits = ["min_flow_cfs", "max_flow_cfs", "min_gage_ft", "max_gage_ft"] as const

/**
 * Every limit. Of precipitation it is that of the whole trip; `thunder` is no trips in thunderstorms.
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
] as const

/**
 * @category models
 */
export type Limit = (typeof limitNames)[number]

/**
 * The limits of a trip: what the weather and the river may be at most and at least.
 * One that is left out, or null, is none.
 *
 * @category models
 */
export type Limits = { readonly [Name in Limit]?: (Name extends "thunder" ? boolean : number) | null }

/**
 * Whether any of these is set.
 *
 * @category predicates
 */
export const isSet = (limits: Limits, names: ReadonlyArray<Limit>): boolean =>
  names.some((name) => limits[name] !== undefined && limits[name] !== null && limits[name] !== false)
