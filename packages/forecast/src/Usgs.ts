/**
 * River gauges from the US Geological Survey. The service is free and allows more requests with an API key. The
 * response contains the latest value of each series, as text with a unit. If a quantity has several series, the newest
 * value is used. −999999 and words such as `Ice` mark missing values.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import {
  type GaugeMeasurement,
  makeSignalUnavailable,
  RiverGauge,
  type RiverReading,
  type SignalUnavailable
} from "@trailbook/core/forecast"
import * as Instant from "@trailbook/core/time/Instant"
import { readField, toArray, toFiniteNumber } from "@trailbook/http/fetchJson"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { makeFetchSignal, type RequestOptions } from "./fetchSignal.ts"
import { makeForecastCache } from "./forecastCache.ts"

export interface Options extends RequestOptions {
  /**
   * Default: `https://api.waterdata.usgs.gov/ogcapi/v1`. Version 0 returns the same responses and will be retired in
   * June 2027.
   */
  readonly baseUrl?: string | undefined
  readonly apiKey?: Redacted.Redacted | undefined
}

export const layer = (options: Options = {}): Layer.Layer<RiverGauge, never, HttpClient.HttpClient> =>
  Layer.effect(
    RiverGauge,
    Effect.map(makeFetchSignal(source, options), (fetchSignal) => {
      const headers = options.apiKey === undefined ? {} : { "x-api-key": Redacted.value(options.apiKey) }
      const loadRiver = makeForecastCache((site) =>
        Effect.map(
          fetchSignal(buildUrl(options, site), headers),
          (response) => response._tag === "NoSignal" ? response : parseRiverReading(response.json, site)
        )
      )
      return RiverGauge.of({
        at: (siteText) => {
          const site = parseSite(siteText)
          return site === undefined ? Effect.succeed(makeSignalUnavailable(source, "nowhere")) : loadRiver(site)
        }
      })
    })
  )

const source = "USGS"

/** Converts `09380000` to `USGS-09380000`. Sites run by other agencies have their own prefixes. */
const parseSite = (input: string): string | undefined => {
  const text = input.trim().toUpperCase()
  if (/^\d{8,15}$/.test(text)) return `USGS-${text}`
  return /^[A-Z]{2,10}-[0-9A-Z]{1,20}$/.test(text) ? text : undefined
}

const buildUrl = ({ baseUrl = "https://api.waterdata.usgs.gov/ogcapi/v1" }: Options, site: string): URL => {
  const url = new URL(`${baseUrl.replace(/(?<!\/)\/+$/, "")}/collections/latest-continuous/items`)
  url.search = new URLSearchParams({
    monitoring_location_id: site,
    f: "json",
    lang: "en-US",
    skipGeometry: "true",
    // The default limit is 10, and a gauge can have more than 10 series.
    limit: "200"
  }).toString()
  return url
}

const quantities = {
  flowCfs: { code: "00060", unit: "ft^3/s" },
  gageFt: { code: "00065", unit: "ft" }
} as const

/** Gauges report this number when they have no value. */
const noValue = -999_999

/** Parses a site's latest values. */
export const parseRiverReading = (json: unknown, site: string): RiverReading | SignalUnavailable => {
  const features = readField(json, "features")
  if (!Array.isArray(features)) return makeSignalUnavailable(source, "unreadable")
  if (features.length === 0) return makeSignalUnavailable(source, "nowhere")
  let unknownUnits = 0
  const findNewest = ({ code, unit }: (typeof quantities)[keyof typeof quantities]): GaugeMeasurement | null => {
    let latest: GaugeMeasurement | null = null
    for (const feature of toArray(features)) {
      const properties = readField(feature, "properties")
      if (
        readField(properties, "parameter_code") !== code || readField(properties, "monitoring_location_id") !== site
      ) continue
      if (readField(properties, "unit_of_measure") !== unit) {
        unknownUnits++
        continue
      }
      const value = parseNumber(readField(properties, "value"))
      const time = readField(properties, "time")
      const at = typeof time === "string" ? Instant.parse(time) : undefined
      if (value === null || value === noValue || at === undefined) continue
      if (latest === null || at > latest.at) latest = { value, at }
    }
    return latest
  }
  const flowCfs = findNewest(quantities.flowCfs)
  const gageFt = findNewest(quantities.gageFt)
  if (flowCfs === null && gageFt === null) return makeSignalUnavailable(source, unknownUnits > 0 ? "units" : "stale")
  return {
    _tag: "River",
    site,
    flowCfs,
    gageFt,
    source,
    attribution: {
      text: "River data from the U.S. Geological Survey",
      url: `https://waterdata.usgs.gov/monitoring-location/${site}/`
    }
  }
}

/** Parses a number from text. Returns null for blank text, which JavaScript would convert to 0. */
const parseNumber = (value: unknown): number | null =>
  typeof value === "string" && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)
    ? toFiniteNumber(Number(value))
    : toFiniteNumber(value)
