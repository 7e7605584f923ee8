/**
 * The recent weather and river data for an offering. It comes from external services, so never read it inside a
 * transaction.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { dropStaleHours, freshRiver } from "../forecast/dropStale.ts"
import { Forecast, type Hours } from "../forecast/Forecast.ts"
import { type River, RiverGauge } from "../forecast/RiverGauge.ts"
import type { SignalUnavailable } from "../forecast/SignalUnavailable.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Instant } from "../time/Instant.ts"

export interface WeatherData {
  /** The weather. Undefined if the offering has no coordinates. */
  readonly weather: Hours | SignalUnavailable | undefined
  /** The river level. Undefined if the offering has no gauge. */
  readonly river: River | SignalUnavailable | undefined
}

/** Creates a reader of weather and river data. If no source is configured, no data is available. */
export const makeWeatherReader = Effect.gen(function*() {
  const forecast = Option.getOrElse(yield* Effect.serviceOption(Forecast), () => Forecast.none)
  const gauge = Option.getOrElse(yield* Effect.serviceOption(RiverGauge), () => RiverGauge.none)

  const readOffering = ({ gaugeSite, lat, lon }: Offering, now: Instant): Effect.Effect<WeatherData> =>
    Effect.all({
      weather: lat === null || lon === null
        ? Effect.succeed(undefined)
        : Effect.map(forecast.at({ lat, lon }), (answer) => dropStaleHours(answer, now)),
      river: gaugeSite === null
        ? Effect.succeed(undefined)
        : Effect.map(gauge.at(gaugeSite), (answer) => freshRiver(answer, now))
    }, { concurrency: "unbounded" })

  return {
    /** Reads the data for several offerings, once per offering. */
    of: (offerings: ReadonlyArray<Offering>, now: Instant): Effect.Effect<ReadonlyMap<string, WeatherData>> => {
      const each = [...new Map(offerings.map((offering) => [offering.id, offering])).values()]
      return Effect.map(
        Effect.forEach(
          each,
          (offering) => Effect.map(readOffering(offering, now), (weather) => [offering.id, weather] as const),
          {
            concurrency: atOnce
          }
        ),
        (entries) => new Map(entries)
      )
    }
  }
})

/** Weather services reject hundreds of concurrent requests. */
const atOnce = 4
