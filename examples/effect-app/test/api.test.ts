/** One router serves the shop's `HttpApi` and Trailbook's API, and each API has a derived client. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import { it } from "@effect/vitest"
import { Actor, ApiKeys } from "@trailbook/core/actor"
import * as Serve from "@trailbook/http/serve"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { BookingEngine } from "trailbook/effect"
import { assert } from "vitest"
import { publish, routes, ShopApi } from "../api.ts"
import { outfitter } from "../engine.ts"

it.scopedLive("one router serves both the shop's HttpApi and Trailbook's API", () =>
  Effect.gen(function*() {
    const context = yield* Layer.build(Layer.provideMerge(outfitter, BookingEngine.layer({ database: ":memory:" })))
    const layer = routes.pipe(Layer.provide(Layer.succeedContext(context)), Layer.provide(HttpServer.layerContext))
    const { handler } = yield* Effect.acquireRelease(
      Effect.sync(() => HttpLayerRouter.toWebHandler(layer, { disableLogger: true })),
      ({ dispose }) => Effect.promise(dispose)
    )
    const { port } = yield* Serve.listen({ handler: (request) => handler(request), port: 0 })
    const url = `http://127.0.0.1:${port}`
    const { token } = yield* Context.get(context, ApiKeys).create({
      orgId: Context.get(context, Actor).orgId,
      name: "shop"
    })

    const { lockers } = yield* HttpApiClient.make(ShopApi, { baseUrl: url })
    assert.strictEqual(yield* lockers.free(), 12)

    const server = { baseUrl: `${url}/booking`, key: Redacted.make(token) }
    const trip = yield* publish(server, "Kayak")
    assert(typeof trip === "object")
    assert.deepInclude(trip, { name: "Kayak", kind: "rental", capacity: 4 })
    assert.strictEqual(yield* publish(server, ""), "name: must be 1 to 120 characters long")
    assert.isString(yield* publish({ ...server, key: Redacted.make("none") }, "Kayak"))
  }).pipe(Effect.provide(FetchHttpClient.layer)))
