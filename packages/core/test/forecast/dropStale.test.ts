import { formatSignalUnavailable, makeSignalUnavailable } from "@trailbook/core/forecast/Signals"
import { dropStaleForecast, dropStaleMeasurements } from "@trailbook/core/proposal/trips"
import * as Instant from "@trailbook/core/time/Instant"
import { expect, it } from "vitest"
import { river, weatherOf } from "./readings.ts"

const now = Instant.make(Date.UTC(2026, 5, 6, 15))
const ago = (minutes: number) => Instant.addMinutes(now, -minutes)
const stale = (source: string) => makeSignalUnavailable(source, "stale")

it("uses a forecast only if it was fetched and issued recently", () => {
  const makeWeather = (readMinutes: number, issuedMinutes: number) => ({
    ...weatherOf([]),
    readAt: ago(readMinutes),
    issuedAt: ago(issuedMinutes)
  })
  for (const good of [makeWeather(0, 0), makeWeather(180, 720), makeWeather(-10, -10)]) {
    expect(dropStaleForecast(good, now)).toBe(good)
  }
  for (const old of [makeWeather(181, 181), makeWeather(0, 721), makeWeather(-11, 0), makeWeather(0, -11)]) {
    expect(dropStaleForecast(old, now)).toEqual(stale("Sky"))
  }
  expect(dropStaleForecast(makeSignalUnavailable("Sky", "slow"), now)).toEqual(makeSignalUnavailable("Sky", "slow"))
})

it("uses a gauge reading for up to two hours", () => {
  const flow = (value: number, minutes: number) => ({ value, at: ago(minutes) })
  const both = { ...river, flowCfs: flow(900, 120), gageFt: flow(4, 0) }
  expect(dropStaleMeasurements(both, now)).toEqual(both)
  for (const odd of [flow(900, 121), flow(900, -11), flow(-999_999, 0), flow(Number.NaN, 0)]) {
    expect(dropStaleMeasurements({ ...both, flowCfs: odd }, now)).toEqual({ ...both, flowCfs: null })
    expect(dropStaleMeasurements({ ...both, flowCfs: odd, gageFt: null }, now)).toEqual(stale("River"))
  }
  expect(dropStaleMeasurements(makeSignalUnavailable("River", "limited"), now)).toEqual(
    makeSignalUnavailable("River", "limited")
  )
})

it("describes missing data in a full sentence", () => {
  expect(formatSignalUnavailable(makeSignalUnavailable("USGS", "slow"))).toBe("USGS did not respond in time.")
})
