import { getScale, type Quantity } from "../forecast/scales.ts"
import type { Units } from "../org/units.ts"

/**
 * Formats the weather and river for a trip in a brief, such as `44 to 66 °F` and `wind 12 mph`. `conditions` is an item
 * in the `weather` field of the brief's data.
 */
export const weatherText = (conditions: Readonly<Record<string, unknown>>, units: Units): ReadonlyArray<string> => {
  const number = (value: unknown, quantity: Quantity) =>
    (Math.round(getScale(quantity, units).toShown(Number(value))) + 0).toLocaleString("en-US")
  const measureText = (words: string, value: unknown, quantity: Quantity) =>
    typeof value === "number" ? [`${words} ${number(value, quantity)} ${getScale(quantity, units).unit}`] : []
  const { flow_cfs, gage_ft, gust_kph, missing, outside_limits, precip_pct, temp_c, thunder, wind_kph } = conditions
  const river = [
    ...typeof flow_cfs === "number" ? [`${number(flow_cfs, "cfs")} cfs`] : [],
    ...typeof gage_ft === "number" ? [`${gage_ft} ft`] : []
  ]
  const textsIn = (value: unknown) => Array.isArray(value) ? value.filter((text) => typeof text === "string") : []
  return [
    ...textsIn(outside_limits).map((text) => `outside your limits: ${text}`),
    ...Array.isArray(temp_c)
      ? [`${[...new Set(temp_c.map((value) => number(value, "c")))].join(" to ")} ${getScale("c", units).unit}`]
      : [],
    ...measureText("wind", wind_kph, "kph"),
    ...measureText("gusts", gust_kph, "kph"),
    ...typeof precip_pct === "number" ? [`rain ${Math.round(precip_pct)}%`] : [],
    ...thunder === true ? ["thunderstorms"] : [],
    ...river.length === 0 ? [] : [`river ${river.join(" and ")}`],
    ...textsIn(missing)
  ]
}
