/** The limits on river levels, which need a gauge. */
export const riverLimits = ["min_flow_cfs", "max_flow_cfs", "min_gage_ft", "max_gage_ft"] as const

/** All limits. Precipitation limits apply to the entire trip. `thunder` forbids trips in thunderstorms. */
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

export type Limit = (typeof limitNames)[number]

/** The minimum and maximum values for a trip. Null or absent means no limit. */
export type Limits = { readonly [Name in Limit]?: (Name extends "thunder" ? boolean : number) | null }

/** Returns whether any of these limits is set. */
export const isSet = (limits: Limits, names: ReadonlyArray<Limit>): boolean =>
  names.some((name) => limits[name] !== undefined && limits[name] !== null && limits[name] !== false)
