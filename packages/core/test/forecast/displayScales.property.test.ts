import { formatConditions } from "@trailbook/core/automation/formatConditions"
import {
  getDisplayScale,
  type MeasuredQuantity,
  toDisplayValue,
  toStoredValue
} from "@trailbook/core/forecast/displayScales"
import { getDefaultUnits, getUnits, unitSystems } from "@trailbook/core/org/units"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

const scale = FastCheck.tuple(
  FastCheck.constantFrom<MeasuredQuantity>("kph", "mm", "c", "pct", "cfs", "ft"),
  FastCheck.constantFrom(...unitSystems)
).map(([quantity, units]) => getDisplayScale(quantity, units))
// Storage never contains −0.
const storedValue = FastCheck.double({ min: -1_000, max: 10_000, noNaN: true, noDefaultInfinity: true }).map((value) =>
  value + 0
)

describe("weather and river units", () => {
  it("keep the exact stored value of an unedited field", () => {
    FastCheck.assert(FastCheck.property(scale, storedValue, (scale, value) => {
      expect(toStoredValue(scale, Number(String(toDisplayValue(scale, value))), value)).toBe(value)
    }))
  })

  it("lose less than one display step in a conversion", () => {
    FastCheck.assert(FastCheck.property(scale, storedValue, (scale, value) => {
      const back = scale.toShown(toStoredValue(scale, toDisplayValue(scale, value)))
      const step = scale.decimals === null ? Number.EPSILON : 10 ** -scale.decimals
      expect(Math.abs(back - scale.toShown(value))).toBeLessThan(step)
    }))
  })

  it("display a typed value exactly as entered", () => {
    FastCheck.assert(FastCheck.property(scale, FastCheck.integer({ min: -10_000, max: 100_000 }), (scale, steps) => {
      const typedValue = steps / 10 ** (scale.decimals ?? 0)
      expect(toDisplayValue(scale, toStoredValue(scale, typedValue))).toBe(typedValue)
    }))
  })

  it("convert known values correctly", () => {
    const display = (quantity: MeasuredQuantity, value: number) =>
      toDisplayValue(getDisplayScale(quantity, "us"), value)
    expect([display("kph", 100), display("mm", 25.4), display("c", 0), display("c", -40), display("cfs", 900)])
      .toEqual([62.1, 1, 32, -40, 900])
  })

  it("default to US units in US time zones", () => {
    const us = [
      "America/New_York",
      "America/Indiana/Knox",
      "America/Indianapolis",
      "America/Kentucky/Louisville",
      "America/North_Dakota/Center",
      "America/Denver",
      "America/Sitka",
      "America/Adak",
      "Pacific/Honolulu",
      "US/Pacific"
    ]
    expect(us.filter((zone) => getDefaultUnits(zone) !== "us")).toEqual([])
    const metric = ["America/Toronto", "America/Mexico_City", "America/Argentina/Ushuaia", "Europe/Berlin", "UTC"]
    expect(metric.filter((zone) => getDefaultUnits(zone) !== "metric")).toEqual([])
    expect(getUnits({ timezone: "Europe/Berlin", units: "us" })).toBe("us")
    expect(getUnits({ timezone: "America/Denver", units: "metric" })).toBe("metric")
    expect(getUnits({ timezone: "America/Denver", units: null })).toBe("us")
  })
})

describe("weatherText", () => {
  it("describes the weather and the river in the outfitter's units", () => {
    const weather = {
      temp_c: [6.6, 19],
      wind_kph: 20,
      gust_kph: 40,
      precip_pct: 10,
      thunder: true,
      flow_cfs: 1200,
      gage_ft: 4.25,
      missing: ["USGS has no recent data."]
    }
    const rest = ["rain 10%", "thunderstorms", "river 1,200 cfs and 4.25 ft", "USGS has no recent data."]
    expect(formatConditions(weather, "us")).toEqual(["44 to 66 °F", "wind 12 mph", "gusts 25 mph", ...rest])
    expect(formatConditions(weather, "metric")).toEqual(["7 to 19 °C", "wind 20 km/h", "gusts 40 km/h", ...rest])
    expect(formatConditions({ temp_c: [20, 20] }, "us")).toEqual(["68 °F"])
    expect(formatConditions({ gage_ft: 4, outside_limits: ["a river level of 4 ft (limit 3)"] }, "us"))
      .toEqual(["outside your limits: a river level of 4 ft (limit 3)", "river 4 ft"])
    expect(formatConditions({ temp_c: null, flow_cfs: null, missing: [] }, "us")).toEqual([])
  })
})
