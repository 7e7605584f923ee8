import type { Drafter } from "@trailbook/core/conversation"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { externalServiceLayer } from "./externalServiceLayer.ts"

/** The settings for the language model. */
export interface DraftsSettings {
  readonly draftsUrl?: string | undefined
  readonly draftsModel?: string | undefined
  readonly draftsKey?: string | undefined
}

/** Returns the configured language model, or `undefined` if drafts are off. */
export const draftsLayer = (settings: DraftsSettings): Layer.Layer<Drafter> | undefined => {
  const service = getDraftsServiceOptions(settings)
  return service &&
    externalServiceLayer(() => import("@trailbook/drafter/ChatCompletions"), ({ layer }) => layer(service))
}

/** Returns the URL, model, and key, or `undefined` if the URL or the model is not set. */
export const getDraftsServiceOptions = ({ draftsKey, draftsModel: model, draftsUrl: url }: DraftsSettings) =>
  url === undefined || model === undefined
    ? undefined
    : { url, model, key: draftsKey === undefined ? undefined : Redacted.make(draftsKey) }
