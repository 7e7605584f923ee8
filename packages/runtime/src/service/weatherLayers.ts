import { Forecast, RiverGauge } from "@trailbook/core/forecast"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { externalServiceLayer } from "./externalServiceLayer.ts"

/** The settings for the weather and river services. */
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
export interface WeatherLayers {
  readonly forecast: Layer.Layer<Forecast>
  readonly gauges: Layer.Layer<RiverGauge>
}

/** Returns the configured services. Services that are off return no data. */
export const makeWeatherLayers = (settings: WeatherSettings): WeatherLayers => ({
  forecast: forecastOf(settings),
  gauges: gaugesOf(settings)
})

const forecastOf = (
  { forecast, forecastContact: contact, forecastKey, forecastUrl: baseUrl }: WeatherSettings
): Layer.Layer<Forecast> => {
  switch (forecast) {
    case "off":
      return Forecast.layerNone
    case "open-meteo":
      return externalServiceLayer(
        () => import("@trailbook/forecast/OpenMeteo"),
        ({ layer }) => layer({ baseUrl: baseUrl ?? paidHost(forecastKey), apiKey: redact(forecastKey), contact })
      )
    case "nws":
      return externalServiceLayer(
        () => import("@trailbook/forecast/Nws"),
        ({ layer }) => layer({ baseUrl, contact: contact ?? "" })
      )
  }
}

const gaugesOf = (
  { forecastContact: contact, gauges, gaugesKey, gaugesUrl: baseUrl }: WeatherSettings
): Layer.Layer<RiverGauge> =>
  gauges === "off"
    ? RiverGauge.layerNone
    : externalServiceLayer(
      () => import("@trailbook/forecast/Usgs"),
      ({ layer }) => layer({ baseUrl, apiKey: redact(gaugesKey), contact })
    )

const redact = (key: string | undefined) => key === undefined ? undefined : Redacted.make(key)

/** Open-Meteo has a separate host for requests with a key. */
const paidHost = (key: string | undefined) => key === undefined ? undefined : "https://customer-api.open-meteo.com"
