import { getDisplayScale, limitQuantities, type MeasuredQuantity } from "../forecast/displayScales.ts"
import type { LimitName, LimitViolation } from "../forecast/evaluateLimits.ts"
import type { UnitSystem } from "../org/units.ts"

/**
 * Formats the weather and river for a trip in a brief, such as `44 to 66 °F` and `wind 12 mph`. `conditions` is an item
 * in the `weather` field of the brief's data.
 */
export const formatConditions = (
  conditions: Readonly<Record<string, unknown>>,
  units: UnitSystem
): ReadonlyArray<string> => {
  const number = (value: unknown, quantity: MeasuredQuantity) =>
    (Math.round(getDisplayScale(quantity, units).toShown(Number(value))) + 0).toLocaleString("en-US")
  const measureText = (words: string, value: unknown, quantity: MeasuredQuantity) =>
    typeof value === "number" ? [`${words} ${number(value, quantity)} ${getDisplayScale(quantity, units).unit}`] : []
  const { flow_cfs, gage_ft, gust_kph, missing, outside_limits, precip_pct, temp_c, thunder, wind_kph } = conditions
  const river = [
    ...typeof flow_cfs === "number" ? [`${number(flow_cfs, "cfs")} cfs`] : [],
    ...typeof gage_ft === "number" ? [`${gage_ft} ft`] : []
  ]
  const textsIn = (value: unknown) => Array.isArray(value) ? value.filter((text) => typeof text === "string") : []
  return [
    ...textsIn(outside_limits).map((text) => `outside your limits: ${text}`),
    ...Array.isArray(temp_c)
      ? [`${[...new Set(temp_c.map((value) => number(value, "c")))].join(" to ")} ${getDisplayScale("c", units).unit}`]
      : [],
    ...measureText("wind", wind_kph, "kph"),
    ...measureText("gusts", gust_kph, "kph"),
    ...typeof precip_pct === "number" ? [`rain ${Math.round(precip_pct)}%`] : [],
    ...thunder === true ? ["thunderstorms"] : [],
    ...river.length === 0 ? [] : [`river ${river.join(" and ")}`],
    ...textsIn(missing)
  ]
}

/** Formats a reason for the outfitter, in the outfitter's units, such as `gusts of 72 km/h (limit 60)`. */
export const formatReason = ({ bound, limit, value }: LimitViolation, units: UnitSystem): string => {
  const { of } = words[limit]
  if (limit === "thunder") return of
  const scale = getDisplayScale(limitQuantities[limit], units)
  const [shownValue, shownBound] = [scale.toShown(value), scale.toShown(bound)]
  // Use enough decimals to distinguish the value from the limit.
  const decimals = [scale.decimals ?? 1, 2, 3, 4].find((n) => number(shownValue, n) !== number(shownBound, n)) ?? 4
  return `${of} ${number(shownValue, decimals)} ${scale.unit} (limit ${number(shownBound, decimals)})`
}

/** Formats a reason for guests, without numbers, such as `strong wind`. */
export const formatGuestReason = ({ limit }: Pick<LimitViolation, "limit">): string => words[limit].guest

const words: Record<LimitName, { readonly of: string; readonly guest: string }> = {
  max_wind_kph: { of: "wind of", guest: "strong wind" },
  max_gust_kph: { of: "gusts of", guest: "strong gusts of wind" },
  max_precip_mm: { of: "rain of", guest: "heavy rain" },
  max_precip_pct: { of: "a rain chance of", guest: "rain" },
  min_temp_c: { of: "a low of", guest: "the cold" },
  max_temp_c: { of: "a high of", guest: "the heat" },
  thunder: { of: "thunderstorms", guest: "thunderstorms" },
  min_flow_cfs: { of: "a river flow of", guest: "low river levels" },
  max_flow_cfs: { of: "a river flow of", guest: "high river levels" },
  min_gage_ft: { of: "a river level of", guest: "low river levels" },
  max_gage_ft: { of: "a river level of", guest: "high river levels" }
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
