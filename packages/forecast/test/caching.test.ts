import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { it } from "@effect/vitest"
import { Forecast, RiverGauge } from "@trailbook/core/forecast"
import { Nws, OpenMeteo, Usgs } from "@trailbook/forecast"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { assert } from "vitest"
import { feature, openMeteo, usgs } from "./recordedResponses.ts"
import { type Service, service } from "./Service.ts"

const spot = { lat: 38.5347, lon: -105.9989 }
/**
 * `ample` is long enough to get a response on a busy machine. `scant` is short enough to wait out a response that never
 * ends.
 */
const [ample, scant] = ["10 seconds", "150 millis"] as const

type Within = typeof ample | typeof scant

const fetched = Layer.provide(FetchHttpClient.layer)

const sources = {
  "Open-Meteo": (baseUrl: string, within: Within) =>
    Effect.provide(Effect.flatMap(Forecast, ({ at }) => at(spot)), fetched(OpenMeteo.layer({ baseUrl, within }))),
  "The National Weather Service": (baseUrl: string, within: Within) =>
    Effect.provide(
      Effect.flatMap(Forecast, ({ at }) => at(spot)),
      fetched(Nws.layer({ baseUrl, within, contact: "a@b.co" }))
    ),
  USGS: (baseUrl: string, within: Within) =>
    Effect.provide(Effect.flatMap(RiverGauge, ({ at }) => at("07091200")), fetched(Usgs.layer({ baseUrl, within })))
}

const troubles: ReadonlyArray<readonly [string, Service["answer"], string]> = [
  ["429", () => ({ status: 429, body: {} }), "limited"],
  ["500", () => ({ status: 500, body: "<html>" }), "broken"],
  ["503", () => ({ status: 503, body: {} }), "broken"],
  ["400", () => ({ status: 400, body: { error: true, reason: "Parameter" } }), "refused"],
  ["403", () => ({ status: 403, body: {} }), "refused"],
  ["404", () => ({ status: 404, body: {} }), "nowhere"],
  ["a redirect", () => ({ status: 302, body: {} }), "refused"],
  ["invalid JSON", () => ({ body: "<html>" }), "unreadable"],
  ["a truncated response", () => ({ body: JSON.stringify(openMeteo()).slice(0, 200) }), "unreadable"],
  ["an empty response", () => ({ body: "" }), "unreadable"],
  ["null", () => ({ body: "null" }), "unreadable"],
  ["a list", () => ({ body: [] }), "unreadable"],
  ["a response that is too long", () => ({ body: `"${"x".repeat(5 * 1024 * 1024)}"` }), "unreadable"],
  ["a hanging response", () => "hangs", "slow"]
]

for (const [source, ask] of Object.entries(sources)) {
  it.live.each(troubles)(
    `${source} returns no signal, and the reason, for %s`,
    ([, answer, reason]) =>
      Effect.scoped(Effect.gen(function*() {
        const trouble = yield* service
        trouble.answer = answer
        assert.deepEqual(
          yield* ask(trouble.url, reason === "slow" ? scant : ample),
          { _tag: "NoSignal", source, reason } as never
        )
      }))
  )

  it.live(`${source} returns no signal if the service is unreachable`, () =>
    Effect.gen(function*() {
      assert.deepEqual(
        yield* ask("http://127.0.0.1:1", ample),
        { _tag: "NoSignal", source, reason: "unreachable" } as never
      )
    }))
}

const minutes = (n: number) => TestClock.adjust(`${n} minutes`)

it.scoped("refreshes a response after half an hour, and keeps the old one on failure", () =>
  Effect.gen(function*() {
    const server = yield* service
    const { at } = yield* Effect.map(
      Layer.build(fetched(OpenMeteo.layer({ baseUrl: server.url }))),
      (context) => Context.get(context, Forecast)
    )
    server.answer = () => ({ body: openMeteo() })
    const [first] = yield* Effect.all([at(spot), at(spot), at(spot)], { concurrency: "unbounded" })
    assert.strictEqual(server.requests.length, 1, "concurrent callers wait for the same request")
    yield* minutes(29)
    assert.deepEqual(yield* at(spot), first)
    assert.strictEqual(server.requests.length, 1)
    yield* minutes(1)
    server.answer = () => ({ status: 500, body: {} })
    assert.deepEqual(yield* at(spot), first)
    assert.strictEqual(server.requests.length, 2)
    // A failed source is not retried for five minutes.
    yield* at(spot)
    yield* minutes(4)
    yield* at(spot)
    assert.strictEqual(server.requests.length, 2)
    yield* minutes(1)
    server.answer = () => ({ body: openMeteo({ hourly: { temperature_2m: [1, 2, 3, 4, 5] } }) })
    assert.notDeepEqual(yield* at(spot), first)
    assert.strictEqual(server.requests.length, 3)
    yield* at({ lat: 40, lon: -105 })
    assert.strictEqual(server.requests.length, 4, "each place causes a request")
  }))

it.scoped("returns no signal for an unresponsive gauge, and retries after five minutes", () =>
  Effect.gen(function*() {
    const water = yield* service
    const { at } = yield* Effect.map(Layer.build(fetched(Usgs.layer({ baseUrl: water.url }))), (context) =>
      Context.get(context, RiverGauge))
    assert.strictEqual((yield* at("07091200"))._tag, "NoSignal")
    yield* at("07091200")
    assert.strictEqual(water.requests.length, 1)
    water.answer = () => ({ body: usgs(feature()) })
    yield* minutes(5)
    assert.strictEqual((yield* at("07091200"))._tag, "River")
    assert.strictEqual(water.requests.length, 2)
  }))
