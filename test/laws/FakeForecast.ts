import {
  Forecast,
  type ForecastHour,
  makeSignalUnavailable,
  type SignalUnavailableReason
} from "@trailbook/core/forecast"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"

const hourMs = 3_600_000

/**
 * A forecast that a test controls. Every hour of the 15 days is calm until `change` overrides all hours. If `change`
 * sets a reason, no forecast is available.
 */
export const make = Effect.sync(() => {
  let now: Partial<ForecastHour> | SignalUnavailableReason = {}
  const calm = { tempC: 18, windKph: 5, gustKph: 10, precipMm: 0, precipPct: 0, thunder: false }
  return {
    forecast: Forecast.of({
      at: () =>
        Effect.map(currentTime, (at) => {
          if (typeof now === "string") return makeSignalUnavailable("Sky", now)
          const first = at - at % hourMs
          const hours = Array.from({ length: 15 * 24 }, (_, n): ForecastHour => ({
            ...calm,
            ...now as Partial<ForecastHour>,
            from: Instant.make(first + n * hourMs),
            to: Instant.make(first + (n + 1) * hourMs)
          }))
          const attribution = { text: "Sky", url: "https://example.com/sky" }
          return { _tag: "Hours", hours, issuedAt: at, readAt: at, source: "Sky", attribution }
        })
    }),
    change: (to: Partial<ForecastHour> | SignalUnavailableReason) =>
      Effect.sync(() => {
        now = to
      })
  }
})
