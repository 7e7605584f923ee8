import type { LimitViolation } from "../forecast/evaluateLimits.ts"
import type { Limit } from "../forecast/Limits.ts"
import { getScale, quantities } from "../forecast/scales.ts"
import type { Units } from "../org/units.ts"

/** Formats a reason for the outfitter, in the outfitter's units, such as `gusts of 72 km/h (limit 60)`. */
export const formatReason = ({ bound, limit, value }: LimitViolation, units: Units): string => {
  const { of } = words[limit]
  if (limit === "thunder") return of
  const scale = getScale(quantities[limit], units)
  const [shownValue, shownBound] = [scale.toShown(value), scale.toShown(bound)]
  // Use enough decimals to distinguish the value from the limit.
  const decimals = [scale.decimals ?? 1, 2, 3, 4].find((n) => number(shownValue, n) !== number(shownBound, n)) ?? 4
  return `${of} ${number(shownValue, decimals)} ${scale.unit} (limit ${number(shownBound, decimals)})`
}

/** Formats a reason for guests, without numbers, such as `strong wind`. */
export const guestReason = ({ limit }: Pick<LimitViolation, "limit">): string => words[limit].guest

const words: Record<Limit, { readonly of: string; readonly guest: string }> = {
  max_wind_kph: { of: "wind of", guest: "strong wind" },
  max_gust_kph: { of: "gusts of", guest: "strong gusts of wind" },
  max_precip_mm: { of: "rain of", guest: "heavy rain" },
  max_precip_pct: { of: "a rain chance of", guest: "rain" },
  min_temp_c: { of: "a low of", guest: "the cold" },
  max_temp_c: { of: "a high of", guest: "the heat" },
  thunder: { of: "thunderstorms", guest: "thunderstorms" },
  min_flow_cfs: { of: "the river at", guest: "low river levels" },
  max_flow_cfs: { of: "the river at", guest: "high river levels" },
  min_gage_ft: { of: "the river at", guest: "low river levels" },
  max_gage_ft: { of: "the river at", guest: "high river levels" }
}

/** Joins distinct values into text such as `a`, `a and b`, or `a, b and c`. */
export const joinList = (words: ReadonlyArray<string>): string => {
  const distinctWords = [...new Set(words)]
  return distinctWords.length < 2
    ? distinctWords.join("")
    : `${distinctWords.slice(0, -1).join(", ")} and ${distinctWords.at(-1)}`
}

const formats = [0, 1, 2, 3, 4].map((maximumFractionDigits) =>
  new Intl.NumberFormat("en-US", { maximumFractionDigits })
)

const number = (value: number, decimals: number): string => {
  const text = formats[decimals]?.format(Math.abs(value)) ?? String(Math.abs(value))
  return value < 0 && text !== "0" ? `−${text}` : text
}
