import {
  Forecast,
  type GaugeMeasurement,
  type HourlyForecast,
  makeSignalUnavailable,
  RiverGauge,
  type RiverReading,
  type SignalUnavailable
} from "@trailbook/core/forecast"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { makeWeatherLayers as layerFromSettings, type WeatherLayers } from "@trailbook/runtime/service/weatherLayers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { formatHostFailure } from "../transaction/HostFunctionError.ts"
import type * as Host from "./Weather.ts"

export const weatherLayer = ({ forecast, gauges }: Host.Weather = {}): WeatherLayers => {
  const forecastSettings = forecast !== undefined && "source" in forecast ? forecast : undefined
  const gaugeSettings = gauges !== undefined && "source" in gauges ? gauges : undefined
  const configured = layerFromSettings({
    forecast: forecastSettings?.source ?? "off",
    forecastUrl: forecastSettings?.url,
    forecastKey: forecastSettings?.key,
    forecastContact: forecastSettings?.contact,
    gauges: gaugeSettings?.source ?? "off",
    gaugesUrl: gaugeSettings?.url,
    gaugesKey: gaugeSettings?.key
  })
  return {
    forecast: forecast !== undefined && "at" in forecast ? makeForecastLayer(forecast) : configured.forecast,
    gauges: gauges !== undefined && "at" in gauges ? makeGaugeLayer(gauges) : configured.gauges
  }
}

/** Calls the host application's weather source with a time limit. Returns the reason if the source has no data. */
const callHost = <A extends object, B>(
  name: string,
  call: () => Promise<A | null>,
  parse: (answer: A, now: Instant.Instant) => B
): Effect.Effect<B | SignalUnavailable> =>
  Effect.gen(function*() {
    const toFailure = (error: unknown) => formatHostFailure("weather", error)
    const result = yield* Effect.timeoutOption(
      Effect.tryPromise({ try: async () => call(), catch: toFailure }),
      timeout
    )
    if (Option.isNone(result)) return makeSignalUnavailable(name, "slow")
    if (result.value === null) return makeSignalUnavailable(name, "nowhere")
    const { value } = result
    const now = yield* currentTime
    return yield* Effect.try({ try: () => parse(value, now), catch: toFailure })
  }).pipe(
    Effect.catchAll((message) => Effect.as(Effect.logWarning(message), makeSignalUnavailable(name, "broken")))
  )

const timeout = "10 seconds"

const makeForecastLayer = (forecast: Host.Forecast): Layer.Layer<Forecast> =>
  Layer.succeed(
    Forecast,
    Forecast.of({
      at: (spot) =>
        callHost("The weather forecast", () =>
          forecast.at(spot), ({ attribution, hours, issuedAt, source }, readAt): HourlyForecast => ({
            _tag: "Hours",
            hours: hours.map(({ from, thunder, to, ...rest }) => ({
              from: Instant.make(from),
              to: Instant.make(to),
              tempC: toNumber(rest.tempC),
              windKph: toNumber(rest.windKph),
              gustKph: toNumber(rest.gustKph),
              precipMm: toNumber(rest.precipMm),
              precipPct: toNumber(rest.precipPct),
              thunder: typeof thunder === "boolean" ? thunder : null
            })),
            issuedAt: Instant.make(issuedAt),
            readAt,
            source,
            attribution
          }))
    })
  )

const makeGaugeLayer = (gauges: Host.Gauges): Layer.Layer<RiverGauge> =>
  Layer.succeed(
    RiverGauge,
    RiverGauge.of({
      at: (site) =>
        callHost(
          "The river gauge",
          () => gauges.at(site),
          ({ attribution, flowCfs, gageFt, source }): RiverReading => ({
            _tag: "River",
            site,
            flowCfs: toMeasurement(flowCfs),
            gageFt: toMeasurement(gageFt),
            source,
            attribution
          })
        )
    })
  )

/** Returns null for a value that is not a finite number. JavaScript sources may omit a field or return a string. */
const toNumber = (value: unknown): number | null => typeof value === "number" && Number.isFinite(value) ? value : null

const toMeasurement = (measurement: Host.GaugeReadings["flowCfs"] | undefined): GaugeMeasurement | null => {
  const value = toNumber(measurement?.value)
  const at = toNumber(measurement?.at)
  return value === null || at === null ? null : { value, at: Instant.make(at) }
}
