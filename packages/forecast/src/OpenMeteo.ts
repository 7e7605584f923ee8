/**
 * Forecasts of Open-Meteo, for the whole world. Free of charge for who earns nothing
 * with it; others have an address of their own and a key. The data is licensed CC BY
 * 4.0: a link to Open-Meteo stands where it is shown.
 *
 * A value at a moment is one of two things. Rain, its chance and gusts are those of the
 * hour *before*; temperature, wind and the weather's code are of the moment itself. So
 * the hour from 9 to 10 has the rain and the gusts of 10, the temperature of 9, and the
 * stronger wind and the worse code of both.
 */
import { Forecast, type ForecastHour, type Hours, type Spot } from "@trailbook/core/forecast/Forecast"
import { type SignalUnavailable, signalUnavailable } from "@trailbook/core/forecast/SignalUnavailable"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { cached } from "./cached.ts"
import { fetchJson, userAgent } from "./fetchJson.ts"
import { field, list, number } from "./json.ts"

export interface Options {
  /** `https://api.open-meteo.com` when left out; `https://customer-api.open-meteo.com` goes with a key. */
  readonly baseUrl?: string | undefined
  readonly apiKey?: Redacted.Redacted | undefined
  /** An address at which whoever runs this is reached; it is sent along. */
  readonly contact?: string | undefined
  /** For one question; 10 seconds when left out. */
  readonly within?: Duration.DurationInput | undefined
}

export const layer = (options: Options = {}): Layer.Layer<Forecast> =>
  Layer.sync(Forecast, () => {
    const at = cached((key) =>
      Effect.flatMap(
        fetchJson({
          source,
          url: urlOf(options, key),
          headers: { "user-agent": userAgent(options.contact) },
          within: options.within ?? "10 seconds"
        }),
        (answer) =>
          answer._tag === "NoSignal" ? Effect.succeed(answer) : Effect.map(currentTime, (now) => read(answer.json, now))
      )
    )
    return Forecast.of({ at: ({ lat, lon }: Spot) => at(`${lat.toFixed(4)},${lon.toFixed(4)}`) })
  })

const source = "Open-Meteo"

const attribution = { text: "Weather data by Open-Meteo.com", url: "https://open-meteo.com/" }

/** What is asked for, and the unit that it is to come in. */
const units = {
  temperature_2m: "°C",
  wind_speed_10m: "km/h",
  wind_gusts_10m: "km/h",
  precipitation: "mm",
  precipitation_probability: "%",
  weather_code: "wmo code"
} as const

const urlOf = ({ apiKey, baseUrl = "https://api.open-meteo.com" }: Options, key: string): URL => {
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

/** Reads an answer. */
export const read = (json: unknown, now: Instant.Instant): Hours | SignalUnavailable => {
  const times = list(field(json, "hourly", "time")).map(number)
  if (times.length < 2) return signalUnavailable(source, "unreadable")
  if (field(json, "hourly_units", "time") !== "unixtime" || number(field(json, "utc_offset_seconds")) !== 0) {
    return signalUnavailable(source, "units")
  }
  const series = (name: keyof typeof units): ReadonlyArray<number | null> => {
    const values = field(json, "hourly_units", name) === units[name] ? list(field(json, "hourly", name)) : []
    return times.map((_, at) => number(values[at]))
  }
  const known = Object.keys(units).filter((name) => field(json, "hourly_units", name) !== undefined)
  if (known.length === 0) return signalUnavailable(source, "unreadable")
  const right = known.filter((name) => field(json, "hourly_units", name) === units[name as keyof typeof units])
  if (right.length === 0) return signalUnavailable(source, "units")

  const temperature = series("temperature_2m")
  const wind = series("wind_speed_10m")
  const gusts = series("wind_gusts_10m")
  const rain = series("precipitation")
  const chance = series("precipitation_probability")
  const codes = series("weather_code").map(isThunder)

  const hours = times.slice(1).flatMap((end, before): ReadonlyArray<ForecastHour> => {
    const start = times[before]
    const at = before + 1
    if (end === null || start === null || start === undefined || end - start !== 3600) return []
    return [{
      from: Instant.make(start * 1000),
      to: Instant.make(end * 1000),
      tempC: temperature[before] ?? null,
      windKph: stronger(wind[before] ?? null, wind[at] ?? null),
      gustKph: gusts[at] ?? null,
      precipMm: rain[at] ?? null,
      precipPct: chance[at] ?? null,
      thunder: either(codes[before] ?? null, codes[at] ?? null)
    }]
  })
  return hours.length === 0
    ? signalUnavailable(source, "unreadable")
    : { _tag: "Hours", hours, issuedAt: now, readAt: now, source, attribution }
}

/** WMO codes 95, 96 and 99 are thunderstorms. */
const isThunder = (code: number | null): boolean | null => code === null ? null : code >= 95 && code <= 99

const stronger = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? a ?? b : Math.max(a, b)

const either = (a: boolean | null, b: boolean | null): boolean | null =>
  a === true || b === true ? true : a === null || b === null ? null : false
