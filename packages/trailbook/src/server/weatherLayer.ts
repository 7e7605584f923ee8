import { Forecast } from "@trailbook/core/forecast/Forecast"
import { RiverGauge } from "@trailbook/core/forecast/RiverGauge"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { httpClientLayer } from "./httpClientLayer.ts"

/** The settings of the weather and river services. */
export interface WeatherSettings {
  readonly forecast: "off" | "open-meteo" | "nws"
  readonly forecastUrl: string | undefined
  readonly forecastKey: string | undefined
  readonly forecastContact: string | undefined
  readonly gauges: "off" | "usgs"
  readonly gaugesUrl: string | undefined
  readonly gaugesKey: string | undefined
}

/** The weather and river services for the ops agent. */
export interface WeatherLayer {
  readonly forecast: Layer.Layer<Forecast>
  readonly gauges: Layer.Layer<RiverGauge>
}

/** The configured services. Services that are off return no data. */
export const weatherLayer = (settings: WeatherSettings): WeatherLayer => ({
  forecast: forecastOf(settings),
  gauges: gaugesOf(settings)
})

// Loaded on demand: most installations use none of them.
const forecastOf = (
  { forecast, forecastContact: contact, forecastKey, forecastUrl: baseUrl }: WeatherSettings
): Layer.Layer<Forecast> => {
  switch (forecast) {
    case "off":
      return Forecast.layerNone
    case "open-meteo":
      return Layer.unwrapEffect(Effect.map(
        Effect.promise(() => import("@trailbook/forecast/OpenMeteo")),
        ({ layer }) => layer({ baseUrl: baseUrl ?? paid(forecastKey), apiKey: redacted(forecastKey), contact })
      )).pipe(Layer.provide(httpClientLayer))
    case "nws":
      return Layer.unwrapEffect(Effect.map(
        Effect.promise(() => import("@trailbook/forecast/Nws")),
        ({ layer }) => layer({ baseUrl, contact: contact ?? "" })
      )).pipe(Layer.provide(httpClientLayer))
  }
}

const gaugesOf = (
  { forecastContact: contact, gauges, gaugesKey, gaugesUrl: baseUrl }: WeatherSettings
): Layer.Layer<RiverGauge> =>
  gauges === "off"
    ? RiverGauge.layerNone
    : Layer.unwrapEffect(Effect.map(
      Effect.promise(() => import("@trailbook/forecast/Usgs")),
      ({ layer }) => layer({ baseUrl, apiKey: redacted(gaugesKey), contact })
    )).pipe(Layer.provide(httpClientLayer))

const redacted = (key: string | undefined) => key === undefined ? undefined : Redacted.make(key)

/** Open-Meteo has a separate host for requests with a key. */
const paid = (key: string | undefined) => key === undefined ? undefined : "https://customer-api.open-meteo.com"
