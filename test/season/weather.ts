/**
 * A season's weather. Each date has its own wind, thunder, temperature, and river flow, and forecasts become more
 * accurate as the date approaches. Sometimes a service does not respond, returns old data, or omits values. `signal`
 * returns the state of the services for the rules.
 */
import { Forecast, type ForecastHour, makeSignalUnavailable, RiverGauge } from "@trailbook/core/forecast"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { makeRandomIntegers } from "@trailbook/testkit/fake/randomIntegers"
import * as Effect from "effect/Effect"

/** The state of the weather services at a given moment. */
export interface Signal {
  readonly quality: "whole" | "holes" | "old" | "none"
  readonly river: "now" | "old" | "none"
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Returns a number from 0 to 1 that depends only on the arguments. */
const drawChance = (seed: number, ...about: ReadonlyArray<number>): number =>
  (makeRandomIntegers(about.reduce((sum, part) => Math.imul(sum, 31) + part, seed))() % 10_000) / 10_000

export const weather = (seed: number) => {
  const makeHour = (from: number, now: number, holes: boolean): ForecastHour => {
    const date = Math.floor(from / dayMs)
    const ahead = Math.max(0, date - Math.floor(now / dayMs))
    const off = 1 + (drawChance(seed, date, ahead) - 0.5) * 0.3 * ahead
    const wild = drawChance(seed, date)
    const gustKph = Math.round((15 + 70 * wild ** 3) * off)
    return {
      from: Instant.make(from),
      to: Instant.make(from + hourMs),
      tempC: holes ? null : Math.round((4 + 20 * drawChance(seed, date, 7)) * off),
      windKph: Math.round(gustKph / 2),
      gustKph: holes && from % (3 * hourMs) === 0 ? null : gustKph,
      precipMm: 0,
      precipPct: 10,
      thunder: drawChance(seed, date, 3) > 0.97
    }
  }
  const makeSignal = (now: number): Signal => {
    const at = Math.floor(now / hourMs)
    const quality = drawChance(seed, at, 1)
    const river = drawChance(seed, at, 2)
    return {
      quality: quality < 0.75 ? "whole" : quality < 0.85 ? "holes" : quality < 0.92 ? "old" : "none",
      river: river < 0.85 ? "now" : river < 0.92 ? "old" : "none"
    }
  }
  const attribution = { text: "Season", url: "https://example.com/season" }
  return {
    signal: makeSignal,
    forecast: Forecast.of({
      at: () =>
        Effect.map(currentTime, (now) => {
          const { quality } = makeSignal(now)
          if (quality === "none") return makeSignalUnavailable("Season", "unreachable")
          const first = now - now % hourMs
          const readAt = Instant.make(quality === "old" ? now - 4 * hourMs : now)
          return {
            _tag: "Hours",
            hours: Array.from({ length: 5 * 24 }, (_, at) => makeHour(first + at * hourMs, now, quality === "holes")),
            issuedAt: readAt,
            readAt,
            source: "Season",
            attribution
          }
        })
    }),
    gauge: RiverGauge.of({
      at: (site) =>
        Effect.map(currentTime, (now) => {
          const { river } = makeSignal(now)
          if (river === "none") return makeSignalUnavailable("Season", "slow")
          const date = Math.floor(now / dayMs)
          const value = Math.round(
            1200 + 1500 * drawChance(seed, Math.floor(date / 4), 5) + 400 * drawChance(seed, date, 6)
          )
          const at = Instant.make(river === "old" ? now - 3 * hourMs : now)
          return { _tag: "River", site, flowCfs: { value, at }, gageFt: null, source: "Season", attribution }
        })
    })
  }
}
