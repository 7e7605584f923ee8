/**
 * Forecasts from the US National Weather Service. The service is free but requires a contact address. Each location
 * belongs to a forecast grid, whose URL is looked up once. The grid contains a list of values for each quantity. Each
 * value applies to an ISO 8601 interval, such as `2026-06-06T15:00:00+00:00/PT3H`.
 *
 * An amount, such as rainfall, is divided evenly among the hours in its interval. Any other value applies to every
 * hour. A list with an unknown unit is ignored. The list of gusts may have gaps. Thunderstorms that are isolated or
 * have only a slight chance are ignored.
 */
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
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeFetchSignal } from "./fetchSignal.ts"
import { makeForecastCache } from "./forecastCache.ts"

export interface Options {
  /** Default: `https://api.weather.gov`. */
  readonly baseUrl?: string | undefined
  /** The operator's contact address. The service rejects requests without a contact address. */
  readonly contact: string
  /** The time limit for each of the two requests. Default: 10 seconds. */
  readonly within?: Duration.DurationInput | undefined
}

export const layer = ({ baseUrl = "https://api.weather.gov", ...options }: Options) =>
  Layer.effect(
    Forecast,
    Effect.map(makeFetchSignal(source, options), (fetchSignal) => {
      const base = new URL(baseUrl)
      // Cache the grid, because a location's grid rarely changes. The service returns 404 for an outdated grid.
      const grids = new Map<string, URL>()
      const findGrid = (spot: string): Effect.Effect<URL | SignalUnavailable> => {
        const cachedGrid = grids.get(spot)
        if (cachedGrid !== undefined) return Effect.succeed(cachedGrid)
        return Effect.map(
          fetchSignal(new URL(`${base.href.replace(/(?<!\/)\/+$/, "")}/points/${spot}`)),
          (response) => {
            if (response._tag === "NoSignal") return response
            const grid = parseGridUrl(readField(response.json, "properties", "forecastGridData"), base)
            if (grid === undefined) return makeSignalUnavailable(source, "unreadable")
            if (grids.size >= maxGrids) grids.clear()
            grids.set(spot, grid)
            return grid
          }
        )
      }
      const loadForecast = makeForecastCache((spot) =>
        Effect.flatMap(findGrid(spot), (grid) => {
          if (!(grid instanceof URL)) return Effect.succeed(grid)
          return Effect.flatMap(fetchSignal(grid), (response) => {
            if (response._tag === "Answered") {
              return Effect.map(currentTime, (now) => parseHourlyForecast(response.json, now))
            }
            if (response.reason === "nowhere") grids.delete(spot)
            return Effect.succeed(response)
          })
        })
      )
      // The service redirects coordinates with more than four decimals or with trailing zeros.
      const formatDegrees = (degrees: number) => String(Number(degrees.toFixed(4)))
      return Forecast.of({
        at: ({ lat, lon }: Coordinates) => loadForecast(`${formatDegrees(lat)},${formatDegrees(lon)}`)
      })
    })
  )

const source = "The National Weather Service"

const attribution = { text: "Weather data from the National Weather Service", url: "https://www.weather.gov/" }

const maxGrids = 1000

/** Parses the grid's URL. The URL comes from the response, so a grid on another host is rejected. */
const parseGridUrl = (text: unknown, base: URL): URL | undefined => {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.origin === base.origin ? url : undefined
}

const hourMs = 3_600_000

/** The conversions for each known unit. A list in any other unit is ignored. */
const scales = {
  temperature: { "wmoUnit:degC": (c: number) => c, "wmoUnit:degF": (f: number) => (f - 32) / 1.8 },
  speed: {
    "wmoUnit:km_h-1": (kph: number) => kph,
    "wmoUnit:m_s-1": (ms: number) => ms * 3.6,
    "wmoUnit:kt": (knots: number) => knots * 1.852
  },
  amount: { "wmoUnit:mm": (mm: number) => mm, "wmoUnit:m": (m: number) => m * 1000 },
  percent: { "wmoUnit:percent": (pct: number) => pct }
} as const

type Scale = Readonly<Record<string, (value: number) => number>>

/** Parses a grid's forecast. */
export const parseHourlyForecast = (json: unknown, now: Instant.Instant): HourlyForecast | SignalUnavailable => {
  const updateTime = readField(json, "properties", "updateTime")
  const issuedAt = typeof updateTime === "string" ? Instant.parse(updateTime) : undefined
  if (issuedAt === undefined) return makeSignalUnavailable(source, "unreadable")

  let unknownUnits = 0
  const readByHour = (name: string, scale: Scale, isAmount = false): ReadonlyMap<number, number> => {
    const hours = new Map<number, number>()
    const values = toArray(readField(json, "properties", name, "values"))
    const convert = scale[String(readField(json, "properties", name, "uom"))]
    if (convert === undefined) {
      if (values.length > 0) unknownUnits++
      return hours
    }
    for (const entry of values) {
      const value = toFiniteNumber(readField(entry, "value"))
      const interval = parseInterval(readField(entry, "validTime"))
      if (value === null || interval === undefined) continue
      const share = isAmount ? hourMs / (interval.to - interval.from) : 1
      for (let at: number = interval.from; at < interval.to; at += hourMs) hours.set(at, convert(value) * share)
    }
    return hours
  }
  const temperature = readByHour("temperature", scales.temperature)
  const wind = readByHour("windSpeed", scales.speed)
  const gusts = readByHour("windGust", scales.speed)
  const rain = readByHour("quantitativePrecipitation", scales.amount, true)
  const chance = readByHour("probabilityOfPrecipitation", scales.percent)
  const thunder = readThunderByHour(toArray(readField(json, "properties", "weather", "values")))

  const starts = new Set([temperature, wind, gusts, rain, chance, thunder].flatMap((hours) => [...hours.keys()]))
  if (starts.size === 0) return makeSignalUnavailable(source, unknownUnits > 0 ? "units" : "unreadable")
  const hours = [...starts].sort((a, b) => a - b).map((start): ForecastHour => ({
    from: Instant.make(start),
    to: Instant.make(start + hourMs),
    tempC: temperature.get(start) ?? null,
    windKph: wind.get(start) ?? null,
    gustKph: gusts.get(start) ?? null,
    precipMm: rain.get(start) ?? null,
    precipPct: chance.get(start) ?? null,
    thunder: thunder.get(start) ?? null
  }))
  return { _tag: "Hours", hours, issuedAt, readAt: now, source, attribution }
}

const unlikelyCoverages = new Set<unknown>(["slight_chance", "isolated", null, undefined])

const readThunderByHour = (values: ReadonlyArray<unknown>): ReadonlyMap<number, boolean> => {
  const hours = new Map<number, boolean>()
  for (const entry of values) {
    const interval = parseInterval(readField(entry, "validTime"))
    const value = readField(entry, "value")
    if (interval === undefined || !Array.isArray(value)) continue
    const isThunder = value.some((weather) =>
      readField(weather, "weather") === "thunderstorms" && !unlikelyCoverages.has(readField(weather, "coverage"))
    )
    for (let at: number = interval.from; at < interval.to; at += hourMs) hours.set(at, isThunder)
  }
  return hours
}

interface Interval {
  readonly from: Instant.Instant
  readonly to: Instant.Instant
}

/**
 * Parses an ISO 8601 interval with a start time and a duration in days, hours, and minutes, such as
 * `2026-06-06T15:00:00+00:00/P1DT6H`. Returns undefined for other text, an empty interval, or an interval of more than
 * three weeks, which no forecast covers.
 */
const parseInterval = (text: unknown): Interval | undefined => {
  if (typeof text !== "string") return undefined
  const [start = "", length = "", ...extraParts] = text.split("/")
  const from = Instant.parse(start)
  const match = durationPattern.exec(length)
  if (from === undefined || match === null || extraParts.length > 0) return undefined
  const [, days = "0", hours = "0", minutes = "0"] = match
  const totalMinutes = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes)
  return totalMinutes > 0 && totalMinutes <= maxMinutes
    ? { from, to: Instant.addMinutes(from, totalMinutes) }
    : undefined
}

const durationPattern = /^P(?:(\d{1,3})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?)?$/

const maxMinutes = 21 * 24 * 60
