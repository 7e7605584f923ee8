import type { Broken } from "../../forecast/judge.ts"
import type { Limit } from "../../forecast/Limits.ts"

/**
 * `gusts of 72 km/h (limit 60)`, for the outfitter.
 *
 * @category formatting
 */
export const reasonWords = ({ bound, limit, value }: Broken): string => {
  const { of, unit } = words[limit]
  return unit === undefined ? of : `${of} ${number(value)} ${unit} (limit ${number(bound)})`
}

/**
 * The same without numbers, for guests: `strong wind`.
 *
 * @category formatting
 */
export const guestReason = ({ limit }: Pick<Broken, "limit">): string => words[limit].guest

const words: Record<Limit, { readonly of: string; readonly unit?: string; readonly guest: string }> = {
  max_wind_kph: { of: "wind of", unit: "km/h", guest: "strong wind" },
  max_gust_kph: { of: "gusts of", unit: "km/h", guest: "strong gusts of wind" },
  max_precip_mm: { of: "rain of", unit: "mm", guest: "heavy rain" },
  max_precip_pct: { of: "a chance of rain of", unit: "%", guest: "rain" },
  min_temp_c: { of: "a low of", unit: "°C", guest: "the cold" },
  max_temp_c: { of: "a high of", unit: "°C", guest: "the heat" },
  thunder: { of: "thunderstorms", guest: "thunderstorms" },
  min_flow_cfs: { of: "the river at", unit: "cfs", guest: "low water in the river" },
  max_flow_cfs: { of: "the river at", unit: "cfs", guest: "high water in the river" },
  min_gage_ft: { of: "the river at", unit: "ft", guest: "low water in the river" },
  max_gage_ft: { of: "the river at", unit: "ft", guest: "high water in the river" }
}

/**
 * `a`, `a and b`, `a, b and c`, each once.
 *
 * @category formatting
 */
export const listed = (words: ReadonlyArray<string>): string => {
  const each = [...new Set(words)]
  return each.length < 2 ? each.join("") : `${each.slice(0, -1).join(", ")} and ${each.at(-1)}`
}

const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 })

const number = (value: number): string => `${value < 0 ? "−" : ""}${format.format(Math.abs(value))}`
