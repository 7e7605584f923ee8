import type { HttpClient } from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The client for requests to external services. Loaded on demand, because most installations use none of them. */
export const httpClientLayer: Layer.Layer<HttpClient> = Layer.unwrapEffect(
  Effect.map(Effect.promise(() => import("@effect/platform/FetchHttpClient")), ({ layer }) => layer)
)
