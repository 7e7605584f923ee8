/**
 * Worldwide forecasts from Open-Meteo, which are free for noncommercial use. Commercial users have a separate URL and
 * an API key. The data is licensed under CC BY 4.0, so every page that shows it must link to Open-Meteo.
 *
 * A value's time has one of two meanings. Precipitation, its probability, and gusts describe the hour *before* that
 * time. Temperature, wind, and the weather code describe the time itself. The hour from 9 to 10 therefore combines the
 * precipitation and gusts at 10, the temperature at 9, the stronger of the two winds, and the worse of the two codes.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import {
  type Coordinates,
  Forecast,
  type ForecastHour,
  type HourlyForecast,
  makeSignalUnavailable,
  type SignalUnavailable
} from "@trailbook/core/forecast"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { readField, toArray, toFiniteNumber } from "@trailbook/http/fetchJson"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { makeFetchSignal, type RequestOptions } from "./fetchSignal.ts"
import { makeForecastCache } from "./forecastCache.ts"

export interface Options extends RequestOptions {
  /** Default: `https://api.open-meteo.com`. With an API key, use `https://customer-api.open-meteo.com`. */
  readonly baseUrl?: string | undefined
  readonly apiKey?: Redacted.Redacted | undefined
}

export const layer = (options: Options = {}): Layer.Layer<Forecast, never, HttpClient.HttpClient> =>
  Layer.effect(
    Forecast,
    Effect.map(makeFetchSignal(source, options), (fetchSignal) => {
      const loadForecast = makeForecastCache((key) =>
        Effect.flatMap(fetchSignal(buildUrl(options, key)), (response) =>
          response._tag === "NoSignal"
            ? Effect.succeed(response)
            : Effect.map(currentTime, (now) => parseHourlyForecast(response.json, now)))
      )
      return Forecast.of({ at: ({ lat, lon }: Coordinates) => loadForecast(`${lat.toFixed(4)},${lon.toFixed(4)}`) })
    })
  )

const source = "Open-Meteo"

const attribution = { text: "Weather data by Open-Meteo.com", url: "https://open-meteo.com/" }

/** The requested variables and their expected units. */
const units = {
  temperature_2m: "°C",
  wind_speed_10m: "km/h",
  wind_gusts_10m: "km/h",
  precipitation: "mm",
  precipitation_probability: "%",
  weather_code: "wmo code"
} as const

const buildUrl = ({ apiKey, baseUrl = "https://api.open-meteo.com" }: Options, key: string): URL => {
  const [latitude = "", longitude = ""] = key.split(",")
  const url = new URL(`${baseUrl.replace(/(?<!\/)\/+$/, "")}/v1/forecast`)
  url.search = new URLSearchParams({
    latitude,
    longitude,
    hourly: Object.keys(units).join(","),
    timezone: "GMT",
    timeformat: "unixtime",
    forecast_days: "16",
    ...(apiKey === undefined ? {} : { apikey: Redacted.value(apiKey) })
  }).toString()
  return url
}

/** Parses a forecast. Ignores variables with an unexpected unit. */
export const parseHourlyForecast = (json: unknown, now: Instant.Instant): HourlyForecast | SignalUnavailable => {
  const times = toArray(readField(json, "hourly", "time")).map(toFiniteNumber)
  if (times.length < 2) return makeSignalUnavailable(source, "unreadable")
  if (
    readField(json, "hourly_units", "time") !== "unixtime" ||
    toFiniteNumber(readField(json, "utc_offset_seconds")) !== 0
  ) {
    return makeSignalUnavailable(source, "units")
  }
  const readSeries = (name: keyof typeof units): ReadonlyArray<number | null> => {
    const values = readField(json, "hourly_units", name) === units[name] ? toArray(readField(json, "hourly", name)) : []
    return times.map((_, at) => toFiniteNumber(values[at]))
  }
  const knownNames = Object.keys(units).filter((name) => readField(json, "hourly_units", name) !== undefined)
  if (knownNames.length === 0) return makeSignalUnavailable(source, "unreadable")
  const matchingNames = knownNames.filter((name) =>
    readField(json, "hourly_units", name) === units[name as keyof typeof units]
  )
  if (matchingNames.length === 0) return makeSignalUnavailable(source, "units")

  const temperature = readSeries("temperature_2m")
  const wind = readSeries("wind_speed_10m")
  const gusts = readSeries("wind_gusts_10m")
  const rain = readSeries("precipitation")
  const chance = readSeries("precipitation_probability")
  const codes = readSeries("weather_code").map(isThunder)

  const hours = times.slice(1).flatMap((end, startIndex): ReadonlyArray<ForecastHour> => {
    const start = times[startIndex]
    const endIndex = startIndex + 1
    if (end === null || start === null || start === undefined || end - start !== 3600) return []
    return [{
      from: Instant.make(start * 1000),
      to: Instant.make(end * 1000),
      tempC: temperature[startIndex] ?? null,
      windKph: maxKnown(wind[startIndex] ?? null, wind[endIndex] ?? null),
      gustKph: gusts[endIndex] ?? null,
      precipMm: rain[endIndex] ?? null,
      precipPct: chance[endIndex] ?? null,
      thunder: isEitherTrue(codes[startIndex] ?? null, codes[endIndex] ?? null)
    }]
  })
  return hours.length === 0
    ? makeSignalUnavailable(source, "unreadable")
    : { _tag: "Hours", hours, issuedAt: now, readAt: now, source, attribution }
}

/** The WMO codes for thunderstorms are 95, 96, and 99. */
const isThunder = (code: number | null): boolean | null => code === null ? null : code >= 95 && code <= 99

const maxKnown = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? a ?? b : Math.max(a, b)

const isEitherTrue = (a: boolean | null, b: boolean | null): boolean | null =>
  a === true || b === true ? true : a === null || b === null ? null : false
