import type { Drafter } from "@trailbook/core/conversation/Drafter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../command/CommandError.ts"
import type { CommandName } from "../setting/Setting.ts"

/**
 * What says who words drafts.
 *
 * @category models
 */
export interface DraftsSettings {
  readonly draftsUrl?: string | undefined
  readonly draftsModel?: string | undefined
  readonly draftsKey?: string | undefined
}

/**
 * The language model that is set; `undefined` where drafts are off.
 *
 * @category layers
 */
export const draftsOf = (settings: DraftsSettings): Layer.Layer<Drafter> | undefined => {
  const service = serviceOf(settings)
  // Loaded where it is used: most services have no drafts.
  return service && Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("@trailbook/drafter/ChatCompletions")),
      ({ layer }) => layer(service)
    )
  )
}

/**
 * Where it is and what it is called, when both are set.
 *
 * @category getters
 */
export const serviceOf = ({ draftsKey, draftsModel: model, draftsUrl: url }: DraftsSettings) =>
  url === undefined || model === undefined
    ? undefined
    : { url, model, key: draftsKey === undefined ? undefined : Redacted.make(draftsKey) }

/**
 * What is set without what it needs, a sentence each.
 *
 * @category checking
 */
export const missingForDrafts = (
  { draftsKey, draftsModel, draftsUrl }: DraftsSettings
): ReadonlyArray<string> => [
  ...(draftsUrl !== undefined && draftsModel === undefined
    ? ["--drafts-url needs --drafts-model: the service has to be told which model is meant."]
    : []),
  ...(draftsUrl === undefined && draftsModel !== undefined
    ? ["--drafts-model needs --drafts-url: it says where the model is."]
    : []),
  ...(draftsUrl === undefined && draftsModel === undefined && draftsKey !== undefined
    ? ["--drafts-key needs --drafts-url: it is the key of the service there."]
    : [])
]

/**
 * Refuses to start with only a part of them, before anything is opened.
 *
 * @category checking
 * @throws UsageError
 */
export const draftsRequired = (command: CommandName, settings: DraftsSettings): void => {
  const [missing] = missingForDrafts(settings)
  if (missing !== undefined) throw new UsageError(missing, command)
}
