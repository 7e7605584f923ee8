import type { HttpClient } from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Returns the layer for an external service. Loads the module on demand, because most installations use none of these
 * services.
 */
export const externalServiceLayer = <Module, Service>(
  load: () => Promise<Module>,
  layerOf: (module: Module) => Layer.Layer<Service, never, HttpClient>
): Layer.Layer<Service> =>
  Layer.unwrapEffect(Effect.map(
    Effect.promise(() => Promise.all([load(), import("@effect/platform/FetchHttpClient")])),
    ([module, { layer }]) => Layer.provide(layerOf(module), layer)
  ))
