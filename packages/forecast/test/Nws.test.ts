import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { it } from "@effect/vitest"
import { Forecast } from "@trailbook/core/forecast"
import * as Nws from "@trailbook/forecast/Nws"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { grid, midnight, points } from "./recordedResponses.ts"
import { service } from "./Service.ts"

const spot = { lat: 38.5, lon: -105.99891234 }

const contact = "ops@example.com"

const gridService = Effect.map(service, (server) => {
  const data = { grid: grid() as unknown, points: points(server.url) as unknown }
  server.answer = ({ path }) => ({ body: path.startsWith("/points/") ? data.points : data.grid })
  const asking = Effect.flatMap(Forecast, ({ at }) => at(spot)).pipe(
    Effect.provide(Nws.layer({ baseUrl: server.url, contact })),
    Effect.provide(FetchHttpClient.layer)
  )
  return { server, data, asking }
})

it.scoped("distributes precipitation across an interval's hours, and copies other values to each", () =>
  Effect.gen(function*() {
    const { asking, server } = yield* gridService
    const forecast = yield* asking
    assert(forecast._tag === "Hours")
    const [first, second, third, fourth, ...others] = forecast.hours
    assert.deepEqual(
      first,
      {
        from: midnight,
        to: midnight + 3_600_000,
        tempC: 12.5,
        windKph: 18.52,
        gustKph: null,
        precipMm: 0.5,
        precipPct: 30,
        thunder: false
      } as typeof first
    )
    assert.deepInclude(second, { tempC: 12.5, gustKph: 44, precipMm: 0.5, thunder: false })
    assert.deepInclude(third, { tempC: null, windKph: 18.52, gustKph: null, precipMm: 0.5, thunder: true })
    assert.deepInclude(fourth, { tempC: null, windKph: null, precipMm: 0.5, precipPct: null, thunder: null })
    assert.strictEqual(others.length, 2)
    assert.strictEqual(forecast.hours.reduce((sum, { precipMm }) => sum + (precipMm ?? 0), 0), 3)
    assert.strictEqual(forecast.issuedAt, Date.UTC(2026, 5, 5, 22, 41, 9))
    assert.deepEqual(server.requests.map(({ path }) => path), ["/points/38.5,-105.9989", "/gridpoints/PUB/60,90"])
    for (const { headers } of server.requests) assert.strictEqual(headers["user-agent"], "Trailbook (ops@example.com)")
  }))

it.scoped("converts values from their units, and drops values in an unknown unit", () =>
  Effect.gen(function*() {
    const { asking, data } = yield* gridService
    const at = "2026-06-06T00:00:00+00:00/PT1H"
    const seriesOf = (uom: string, value: number) => ({ uom, values: [{ validTime: at, value }] })
    data.grid = grid({
      temperature: seriesOf("wmoUnit:degF", 50),
      windSpeed: seriesOf("wmoUnit:m_s-1", 10),
      windGust: seriesOf("wmoUnit:furlong", 7),
      quantitativePrecipitation: seriesOf("wmoUnit:m", 0.002)
    })
    const forecast = yield* asking
    assert(forecast._tag === "Hours")
    assert.deepInclude(forecast.hours[0], { tempC: 10, windKph: 36, gustKph: null, precipMm: 2 })
  }))

it.scoped("returns no signal for an unusable response", () =>
  Effect.gen(function*() {
    const { asking, data, server } = yield* gridService
    const emptySeries = {
      temperature: {},
      windSpeed: {},
      windGust: {},
      probabilityOfPrecipitation: {},
      quantitativePrecipitation: {},
      weather: {}
    }
    const reasonFor = (overrides: Partial<typeof data>) => {
      Object.assign(data, { grid: grid(), points: points(server.url), ...overrides })
      return Effect.map(asking, (forecast) => forecast._tag === "NoSignal" ? forecast.reason : undefined)
    }
    assert.strictEqual(yield* reasonFor({ points: {} }), "unreadable")
    assert.strictEqual(yield* reasonFor({ points: points("http://127.0.0.1:1") }), "unreadable")
    assert.strictEqual(yield* reasonFor({ grid: grid({ updateTime: "yesterday" }) }), "unreadable")
    assert.strictEqual(yield* reasonFor({ grid: grid(emptySeries) }), "unreadable")
    const odd = { uom: "wmoUnit:furlong", values: [{ validTime: "2026-06-06T00:00:00+00:00/PT1H", value: 1 }] }
    assert.strictEqual(yield* reasonFor({ grid: grid({ ...emptySeries, windSpeed: odd }) }), "units")
    assert.strictEqual(yield* reasonFor({}), undefined)
  }))

it.scoped("parses a recorded response with missing units and long intervals", () =>
  Effect.gen(function*() {
    const { asking, data } = yield* gridService
    data.grid = grid({
      temperature: {
        uom: "wmoUnit:degC",
        values: [
          { validTime: "2026-01-11T04:00:00+00:00/PT1H", value: 3.3333333333333335 },
          { validTime: "2026-01-11T05:00:00+00:00/P1DT3H", value: -6.111111111111111 }
        ]
      },
      windSpeed: { values: [] },
      windGust: { uom: "wmoUnit:km_h-1", values: [{ validTime: "2026-01-11T04:00:00+00:00/P7DT21H", value: null }] },
      probabilityOfPrecipitation: { values: [] },
      quantitativePrecipitation: {
        uom: "wmoUnit:mm",
        values: [{ validTime: "2026-01-11T04:00:00+00:00/PT2H", value: 0.507999988645311 }]
      },
      weather: { values: [] }
    })
    const forecast = yield* asking
    assert(forecast._tag === "Hours")
    assert.strictEqual(forecast.hours.length, 28)
    assert.deepInclude(forecast.hours[0], {
      tempC: 3.3333333333333335,
      windKph: null,
      gustKph: null,
      precipMm: 0.2539999943226555,
      precipPct: null,
      thunder: null
    })
    assert.deepInclude(forecast.hours[27], { tempC: -6.111111111111111, precipMm: null })
  }))
