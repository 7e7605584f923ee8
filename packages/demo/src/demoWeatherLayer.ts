/**
 * Returns invented weather and river data, so that the demo works offline. Every day repeats the weather of one June
 * day in Salida. The rivers run high with snowmelt after a warm week. The attribution states that the data is invented.
 */
import { Forecast, type ForecastHour, makeSignalUnavailable, RiverGauge } from "@trailbook/core/forecast"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import type { WeatherLayers } from "@trailbook/runtime/service/weatherLayers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { brownsCanyonOffering, familyFloatOffering, outfitter, touringKayakOffering } from "./outfitter.ts"

const attribution = {
  text: "Fictional weather and river data for the demo",
  url: "https://github.com/trailbook/trailbook/blob/main/docs/concepts/agent.md"
}
const source = "The demo's weather"

/** One value per hour from midnight, in Salida time. */
const hourlyValues = {
  tempC: [9, 8, 7, 7, 6, 6, 7, 10, 13, 16, 18, 20, 22, 23, 24, 24, 23, 22, 20, 18, 15, 13, 11, 10],
  windKph: [5, 4, 4, 3, 3, 4, 5, 6, 8, 10, 12, 14, 17, 19, 21, 22, 21, 18, 14, 11, 9, 8, 7, 6],
  gustKph: [9, 8, 8, 7, 7, 8, 9, 12, 15, 18, 22, 27, 31, 35, 38, 40, 38, 33, 27, 21, 17, 14, 12, 10],
  precipPct: [0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 10, 15, 20, 20, 25, 20, 15, 10, 5, 5, 0, 0, 0]
} as const

/** The flow in cubic feet per second and the height in feet, by gauge. */
const riverLevels: Readonly<Record<string, { readonly flow: number; readonly height: number }>> = {
  [brownsCanyonOffering.gauge_site ?? ""]: { flow: 2080, height: 5.91 },
  [familyFloatOffering.gauge_site ?? ""]: { flow: 3420, height: 6.84 },
  [touringKayakOffering.gauge_site ?? ""]: { flow: 9870, height: 9.12 }
}

const zone = Zone.get(outfitter.timezone)
const hourMs = 3_600_000
const daysAhead = 16

const makeHour = (from: Instant.Instant): ForecastHour => {
  const at = Math.floor(zone.wallAt(from).millisOfDay / hourMs)
  return {
    from,
    to: Instant.make(from + hourMs),
    tempC: hourlyValues.tempC[at] ?? null,
    windKph: hourlyValues.windKph[at] ?? null,
    gustKph: hourlyValues.gustKph[at] ?? null,
    precipMm: 0,
    precipPct: hourlyValues.precipPct[at] ?? null,
    thunder: false
  }
}

export const demoWeatherLayer: WeatherLayers = {
  forecast: Layer.succeed(
    Forecast,
    Forecast.of({
      at: () =>
        Effect.map(currentTime, (now) => {
          const firstHour = now - now % hourMs
          return {
            _tag: "Hours",
            hours: Array.from({ length: daysAhead * 24 }, (_, at) => makeHour(Instant.make(firstHour + at * hourMs))),
            issuedAt: now,
            readAt: now,
            source,
            attribution
          }
        })
    })
  ),
  gauges: Layer.succeed(
    RiverGauge,
    RiverGauge.of({
      at: (site) =>
        Effect.map(currentTime, (at) => {
          const river = riverLevels[site]
          return river === undefined ? makeSignalUnavailable(source, "nowhere") : {
            _tag: "River",
            site,
            flowCfs: { value: river.flow, at },
            gageFt: { value: river.height, at },
            source,
            attribution
          }
        })
    })
  )
}
