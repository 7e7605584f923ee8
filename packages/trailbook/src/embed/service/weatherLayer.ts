import {
  Forecast,
  type Hours,
  type Measurement,
  type River,
  RiverGauge,
  type SignalUnavailable,
  signalUnavailable
} from "@trailbook/core/forecast"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { type WeatherLayer, weatherLayer as layerFromSettings } from "@trailbook/runtime/service/weatherLayer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { hostFailure } from "../transaction/HostFailed.ts"
import type * as Host from "./Weather.ts"

export const weatherLayer = ({ forecast, gauges }: Host.Weather = {}): WeatherLayer => {
  const service = forecast !== undefined && "source" in forecast ? forecast : undefined
  const gauge = gauges !== undefined && "source" in gauges ? gauges : undefined
  const configured = layerFromSettings({
    forecast: service?.source ?? "off",
    forecastUrl: service?.url,
    forecastKey: service?.key,
    forecastContact: service?.contact,
    gauges: gauge?.source ?? "off",
    gaugesUrl: gauge?.url,
    gaugesKey: gauge?.key
  })
  return {
    forecast: forecast !== undefined && "at" in forecast ? ownForecast(forecast) : configured.forecast,
    gauges: gauges !== undefined && "at" in gauges ? ownGauges(gauges) : configured.gauges
  }
}

/** Calls the host application's source with a time limit. Returns the reason if the source has no data. */
const askHost = <A extends object, B>(
  name: string,
  ask: () => Promise<A | null>,
  parse: (answer: A, now: Instant.Instant) => B
): Effect.Effect<B | SignalUnavailable> =>
  Effect.gen(function*() {
    const toFailure = (error: unknown) => hostFailure("weather", error)
    const answer = yield* Effect.timeoutOption(Effect.tryPromise({ try: async () => ask(), catch: toFailure }), within)
    if (Option.isNone(answer)) return signalUnavailable(name, "slow")
    if (answer.value === null) return signalUnavailable(name, "nowhere")
    const { value } = answer
    const now = yield* currentTime
    return yield* Effect.try({ try: () => parse(value, now), catch: toFailure })
  }).pipe(
    Effect.catchAll((message) => Effect.as(Effect.logWarning(message), signalUnavailable(name, "broken")))
  )

const within = "10 seconds"

const ownForecast = (forecast: Host.Forecast): Layer.Layer<Forecast> =>
  Layer.succeed(
    Forecast,
    Forecast.of({
      at: (spot) =>
        askHost("The weather forecast", () =>
          forecast.at(spot), ({ attribution, hours, issuedAt, source }, readAt): Hours => ({
            _tag: "Hours",
            hours: hours.map(({ from, thunder, to, ...rest }) => ({
              from: Instant.make(from),
              to: Instant.make(to),
              tempC: numberOf(rest.tempC),
              windKph: numberOf(rest.windKph),
              gustKph: numberOf(rest.gustKph),
              precipMm: numberOf(rest.precipMm),
              precipPct: numberOf(rest.precipPct),
              thunder: typeof thunder === "boolean" ? thunder : null
            })),
            issuedAt: Instant.make(issuedAt),
            readAt,
            source,
            attribution
          }))
    })
  )

const ownGauges = (gauges: Host.Gauges): Layer.Layer<RiverGauge> =>
  Layer.succeed(
    RiverGauge,
    RiverGauge.of({
      at: (site) =>
        askHost("The river gauge", () => gauges.at(site), ({ attribution, flowCfs, gageFt, source }): River => ({
          _tag: "River",
          site,
          flowCfs: measuredOf(flowCfs),
          gageFt: measuredOf(gageFt),
          source,
          attribution
        }))
    })
  )

/** Returns null for a value that is not a finite number. JavaScript sources can omit a field or return a string. */
const numberOf = (value: unknown): number | null => typeof value === "number" && Number.isFinite(value) ? value : null

const measuredOf = (measured: Host.River["flowCfs"] | undefined): Measurement | null => {
  const value = numberOf(measured?.value)
  const at = numberOf(measured?.at)
  return value === null || at === null ? null : { value, at: Instant.make(at) }
}
