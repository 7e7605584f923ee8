import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { it } from "@effect/vitest"
import { Forecast } from "@trailbook/core/forecast"
import * as Instant from "@trailbook/core/time/Instant"
import * as OpenMeteo from "@trailbook/forecast/OpenMeteo"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { assert } from "vitest"
import { midnight, openMeteo } from "./recordedResponses.ts"
import { service } from "./Service.ts"

const spot = { lat: 38.5347, lon: -105.99891234 }

const fetchForecast = (options: OpenMeteo.Options) =>
  Effect.flatMap(Forecast, ({ at }) => at(spot)).pipe(
    Effect.provide(OpenMeteo.layer(options)),
    Effect.provide(FetchHttpClient.layer)
  )

it.scoped("assigns rain and gusts to the preceding hour, and parses gaps as null", () =>
  Effect.gen(function*() {
    const server = yield* service
    server.answer = () => ({ body: openMeteo() })
    const forecast = yield* fetchForecast({ baseUrl: `${server.url}/`, contact: "ops@example.com" })
    assert(forecast._tag === "Hours")
    const hour = (at: number) => ({
      from: Instant.make(midnight + at * 3_600_000),
      to: Instant.make(midnight + (at + 1) * 3_600_000)
    })
    assert.deepEqual(forecast.hours.map((one) => ({ ...one })), [
      { ...hour(0), tempC: 10.1, windKph: 20, gustKph: 31, precipMm: 0.5, precipPct: 40, thunder: false },
      { ...hour(1), tempC: 11, windKph: 20, gustKph: 45, precipMm: 0, precipPct: 0, thunder: true },
      { ...hour(2), tempC: 12, windKph: null, gustKph: null, precipMm: null, precipPct: null, thunder: true },
      { ...hour(3), tempC: null, windKph: 8, gustKph: 20, precipMm: 1, precipPct: 20, thunder: null }
    ])
    assert.deepEqual(forecast.attribution, { text: "Weather data by Open-Meteo.com", url: "https://open-meteo.com/" })
    const request = server.requests[0]
    assert(request !== undefined)
    assert.strictEqual(request.path, "/v1/forecast")
    assert.deepInclude(Object.fromEntries(request.query), {
      latitude: "38.5347",
      longitude: "-105.9989",
      timezone: "GMT",
      timeformat: "unixtime"
    })
    assert.isFalse(request.query.has("apikey"))
    assert.strictEqual(request.headers["user-agent"], "Trailbook (ops@example.com)")
  }))

it.scoped("sends the configured API key", () =>
  Effect.gen(function*() {
    const server = yield* service
    server.answer = () => ({ body: openMeteo() })
    yield* fetchForecast({ baseUrl: server.url, apiKey: Redacted.make("secret") })
    assert.strictEqual(server.requests[0]?.query.get("apikey"), "secret")
  }))

it.scoped("drops values in an unexpected unit", () =>
  Effect.gen(function*() {
    const server = yield* service
    server.answer = () => ({ body: openMeteo({ units: { wind_gusts_10m: "mp/h", temperature_2m: "°F" } }) })
    const forecast = yield* fetchForecast({ baseUrl: server.url })
    assert(forecast._tag === "Hours")
    assert.deepEqual(
      forecast.hours.map(({ gustKph, tempC }) => [gustKph, tempC]),
      Array.from({ length: 4 }, () => [null, null])
    )
    assert.strictEqual(forecast.hours[0]?.windKph, 20)

    const names = Object.keys(openMeteo().hourly_units)
    const other = Object.fromEntries(names.filter((name) => name !== "time").map((name) => [name, "?"]))
    for (const units of [other, { time: "iso8601" }]) {
      server.answer = () => ({ body: openMeteo({ units }) })
      assert.deepEqual(yield* fetchForecast({ baseUrl: server.url }), {
        _tag: "NoSignal",
        source: "Open-Meteo",
        reason: "units"
      })
    }
    server.answer = () => ({ body: openMeteo({ offset: -21600 }) })
    assert.propertyVal(yield* fetchForecast({ baseUrl: server.url }), "reason", "units")
  }))

it.scoped("drops values that are not numbers", () =>
  Effect.gen(function*() {
    const server = yield* service
    server.answer = () => ({
      body: openMeteo({ hourly: { temperature_2m: ["10", "", true, 1], precipitation: undefined } })
    })
    const forecast = yield* fetchForecast({ baseUrl: server.url })
    assert(forecast._tag === "Hours")
    assert.deepEqual(forecast.hours.map(({ precipMm, tempC }) => [precipMm, tempC]), [
      [null, null],
      [null, null],
      [null, null],
      [null, 1]
    ])
  }))
