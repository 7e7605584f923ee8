/**
 * What is known of the weather and the river of an offering, as far as it is recent.
 * It asks the outside, so never within a unit of work.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { dropStaleHours, freshRiver } from "../forecast/dropStale.ts"
import { Forecast, type Hours } from "../forecast/Forecast.ts"
import { type River, RiverGauge } from "../forecast/RiverGauge.ts"
import type { SignalUnavailable } from "../forecast/SignalUnavailable.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * @category models
 */
export interface WeatherData {
  /** Undefined where the offering has no place. */
  readonly weather: Hours | SignalUnavailable | undefined
  /** Undefined where the offering has no gauge. */
  readonly river: River | SignalUnavailable | undefined
}

/**
 * Where nobody is there to be asked, nothing is known.
 *
 * @category reading
 */
export const makeWeatherReader = Effect.gen(function*() {
  const forecast = Option.getOrElse(yield* Effect.serviceOption(Forecast), () => Forecast.none)
  const gauge = Option.getOrElse(yield* Effect.serviceOption(RiverGauge), () => RiverGauge.none)

  const of = ({ gaugeSite, lat, lon }: Offering, now: Instant): Effect.Effect<WeatherData> =>
    Effect.all({
      weather: lat === null || lon === null
        ? Effect.succeed(undefined)
        : Effect.map(forecast.at({ lat, lon }), (answer) => dropStaleHours(answer, now)),
      river: gaugeSite === null
        ? Effect.succeed(undefined)
        : Effect.map(gauge.at(gaugeSite), (answer) => freshRiver(answer, now))
    }, { concurrency: "unbounded" })

  return {
    /** Of each of these offerings, each asked once. */
    of: (offerings: ReadonlyArray<Offering>, now: Instant): Effect.Effect<ReadonlyMap<string, WeatherData>> => {
      const each = [...new Map(offerings.map((offering) => [offering.id, offering])).values()]
      return Effect.map(
        Effect.forEach(each, (offering) => Effect.map(of(offering, now), (sky) => [offering.id, sky] as const), {
          concurrency: atOnce
        }),
        (found) => new Map(found)
      )
    }
  }
})

/** A service that is asked for hundreds of places at once takes offence. */
const atOnce = 4
