import { getScale, type Quantity } from "../../forecast/scales.ts"
import type { Units } from "../../org/units.ts"

/**
 * Formats the weather and the river of a trip in a brief, such as `44 to 66 °F` and `wind 12 mph`. `sky` is an item of
 * the field `weather` in the data of the brief.
 */
export const skyWords = (sky: Readonly<Record<string, unknown>>, units: Units): ReadonlyArray<string> => {
  const number = (value: unknown, quantity: Quantity) =>
    String(Math.round(getScale(quantity, units).toShown(Number(value))) + 0)
  const measured = (words: string, value: unknown, quantity: Quantity) =>
    typeof value === "number" ? [`${words} ${number(value, quantity)} ${getScale(quantity, units).unit}`] : []
  const { flow_cfs, gage_ft, gust_kph, missing, precip_pct, temp_c, thunder, wind_kph } = sky
  return [
    ...Array.isArray(temp_c)
      ? [`${[...new Set(temp_c.map((value) => number(value, "c")))].join(" to ")} ${getScale("c", units).unit}`]
      : [],
    ...measured("wind", wind_kph, "kph"),
    ...measured("gusts", gust_kph, "kph"),
    ...typeof precip_pct === "number" ? [`rain ${Math.round(precip_pct)}%`] : [],
    ...thunder === true ? ["thunderstorms"] : [],
    ...measured("river", flow_cfs, "cfs"),
    ...typeof gage_ft === "number" ? [`river ${gage_ft} ft`] : [],
    ...Array.isArray(missing) ? missing.filter((reason) => typeof reason === "string") : []
  ]
}
