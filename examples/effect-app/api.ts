import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as Handler from "@trailbook/http/handler"
import { TrailbookApi } from "@trailbook/http/httpApi"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The shop's own API. */
export const ShopApi = HttpApi.make("shop").add(
  HttpApiGroup.make("lockers").add(HttpApiEndpoint.get("free", "/lockers").addSuccess(Schema.Number))
)

const lockers = HttpApiBuilder.group(
  ShopApi,
  "lockers",
  (handlers) => handlers.handle("free", () => Effect.succeed(12))
)

/** Trailbook's API on the same router. It checks API keys, rate limits, and input. */
const booking = HttpLayerRouter.use((router) =>
  Effect.flatMap(
    Handler.make({ basePath: "/booking" }),
    (handler) => router.add("*", "/booking/*", HttpApp.fromWebHandler(async (request) => handler(request)))
  )
)

/** Both APIs, for `HttpLayerRouter.serve` or `HttpLayerRouter.toWebHandler`. */
export const routes = HttpLayerRouter.addHttpApi(ShopApi).pipe(Layer.provide(lockers), Layer.merge(booking))

/** Puts a trip on sale through a Trailbook server's API. Returns the error message if the server refuses it. */
export const publish = (server: { readonly baseUrl: string; readonly key: Redacted.Redacted }, name: string) =>
  Effect.gen(function*() {
    const { offerings } = yield* HttpApiClient.make(TrailbookApi, {
      baseUrl: server.baseUrl,
      transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(server.key))
    })
    const { id } = yield* offerings.create({ payload: { name, kind: "rental", capacity: 4 } })
    return yield* offerings.get({ path: { id } })
  }).pipe(Effect.catchTag("ApiError", ({ error }) => Effect.succeed(error.message)))
