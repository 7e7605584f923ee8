import type { Drafter } from "@trailbook/core/conversation/Drafter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { httpClientLayer } from "./httpClientLayer.ts"

/** The settings of the language model. */
export interface DraftsSettings {
  readonly draftsUrl?: string | undefined
  readonly draftsModel?: string | undefined
  readonly draftsKey?: string | undefined
}

/** The configured language model. `undefined` if drafts are off. */
export const draftsLayer = (settings: DraftsSettings): Layer.Layer<Drafter> | undefined => {
  const service = draftsService(settings)
  // Loaded on demand: most installations do not use drafts.
  return service && Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("@trailbook/drafter/ChatCompletions")),
      ({ layer }) => Layer.provide(layer(service), httpClientLayer)
    )
  )
}

/** The URL, model, and key, if the URL and model are set. */
export const draftsService = ({ draftsKey, draftsModel: model, draftsUrl: url }: DraftsSettings) =>
  url === undefined || model === undefined
    ? undefined
    : { url, model, key: draftsKey === undefined ? undefined : Redacted.make(draftsKey) }
