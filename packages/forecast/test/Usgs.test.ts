import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { it } from "@effect/vitest"
import { RiverGauge } from "@trailbook/core/forecast"
import * as Usgs from "@trailbook/forecast/Usgs"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { assert } from "vitest"
import { feature, height, usgs } from "./recordedResponses.ts"
import { service } from "./Service.ts"

const readGauge = (site: string, options: Usgs.Options) =>
  Effect.flatMap(RiverGauge, ({ at }) => at(site)).pipe(
    Effect.provide(Usgs.layer(options)),
    Effect.provide(FetchHttpClient.layer)
  )

const measured = Date.UTC(2026, 5, 6, 14, 45)

it.scoped("parses a number and its timestamp, and uses the newest of several series", () =>
  Effect.gen(function*() {
    const river = yield* service
    river.answer = () => ({
      body: usgs(
        feature({ value: "900", time: "2026-06-06T13:00:00+00:00" }),
        feature(),
        feature({ value: "700", time: "2026-06-01T00:00:00+00:00" }),
        height(),
        feature({ parameter_code: "00010", unit_of_measure: "degC", value: "8.1" })
      )
    })
    const reading = yield* readGauge("07091200", {
      baseUrl: `${river.url}/ogcapi/v1/`,
      apiKey: Redacted.make("key"),
      contact: "ops@example.com"
    })
    assert.deepEqual(
      reading,
      {
        _tag: "River",
        site: "USGS-07091200",
        flowCfs: { value: 1230, at: measured },
        gageFt: { value: -1.02, at: measured },
        source: "USGS",
        attribution: {
          text: "River data from the U.S. Geological Survey",
          url: "https://waterdata.usgs.gov/monitoring-location/USGS-07091200/"
        }
      } as typeof reading
    )
    const request = river.requests[0]
    assert(request !== undefined)
    assert.strictEqual(request.path, "/ogcapi/v1/collections/latest-continuous/items")
    assert.strictEqual(request.query.get("monitoring_location_id"), "USGS-07091200")
    assert.strictEqual(request.headers["x-api-key"], "key")
    assert.strictEqual(request.headers["user-agent"], "Trailbook (ops@example.com)")
  }))

it.scoped("drops invalid values and values from other sites", () =>
  Effect.gen(function*() {
    const river = yield* service
    for (
      const odd of [
        { value: "-999999" },
        { value: "Ice" },
        { value: "" },
        { value: " " },
        { value: null, qualifier: ["ICE", "EQUIPMENT"] },
        { value: "0x10" },
        { unit_of_measure: "m^3/s" },
        { time: null },
        { time: "2026-06-06 14:45" },
        { monitoring_location_id: "USGS-1" }
      ]
    ) {
      river.answer = () => ({ body: usgs(feature(odd), height()) })
      const reading = yield* readGauge("USGS-07091200", { baseUrl: river.url })
      assert(reading._tag === "River", JSON.stringify(odd))
      assert.isNull(reading.flowCfs, JSON.stringify(odd))
      assert.strictEqual(reading.gageFt?.value, -1.02)
    }
  }))

it.scoped("returns no signal for a gauge without usable values", () =>
  Effect.gen(function*() {
    const river = yield* service
    const reasonFor = (site: string, body: unknown) => {
      river.answer = () => ({ body })
      return Effect.map(
        readGauge(site, { baseUrl: river.url }),
        (reading) => reading._tag === "NoSignal" ? reading.reason : undefined
      )
    }
    const site = "07091200"
    assert.strictEqual(yield* reasonFor(site, usgs()), "nowhere")
    assert.strictEqual(yield* reasonFor(site, {}), "unreadable")
    assert.strictEqual(yield* reasonFor(site, usgs(feature({ value: "-999999" }))), "stale")
    assert.strictEqual(yield* reasonFor(site, usgs(feature({ unit_of_measure: "m^3/s" }))), "units")
    const before = river.requests.length
    for (const odd of ["", "river", "1", "../x", "07091200&f=csv"]) {
      assert.strictEqual(yield* reasonFor(odd, usgs(feature())), "nowhere", odd)
    }
    assert.strictEqual(river.requests.length, before, "an invalid site causes no request")
  }))

it.scoped("accepts estimates, numeric strings, and fractional seconds", () =>
  Effect.gen(function*() {
    const river = yield* service
    river.answer = () => ({
      body: usgs(feature({ value: "7.220", qualifier: ["ESTIMATED"], time: "2026-06-06T14:45:00.000000+00:00" }))
    })
    const reading = yield* readGauge("07091200", { baseUrl: river.url })
    assert(reading._tag === "River")
    assert.deepEqual(reading.flowCfs, { value: 7.22, at: measured } as typeof reading.flowCfs)
    assert.isNull(reading.gageFt)
  }))
