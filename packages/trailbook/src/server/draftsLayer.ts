import type { Drafter } from "@trailbook/core/conversation/Drafter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/** What says who words drafts. */
export interface DraftsSettings {
  readonly draftsUrl?: string | undefined
  readonly draftsModel?: string | undefined
  readonly draftsKey?: string | undefined
}

/** The language model that is set; `undefined` where drafts are off. */
export const draftsLayer = (settings: DraftsSettings): Layer.Layer<Drafter> | undefined => {
  const service = draftsService(settings)
  // Loaded where it is used: most services have no drafts.
  return service && Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("@trailbook/drafter/ChatCompletions")),
      ({ layer }) => layer(service)
    )
  )
}

/** Where it is and what it is called, when both are set. */
export const draftsService = ({ draftsKey, draftsModel: model, draftsUrl: url }: DraftsSettings) =>
  url === undefined || model === undefined
    ? undefined
    : { url, model, key: draftsKey === undefined ? undefined : Redacted.make(draftsKey) }
