import { type DraftsSettings, getDraftsServiceOptions } from "@trailbook/runtime/service/draftsLayer"
import { listMissingDraftsSettings } from "@trailbook/server/dependentSettings"
import * as Effect from "effect/Effect"
import { type Finding, makeFailedFinding, makePassedFinding, toMissingSettingFindings } from "./Finding.ts"

/** Checks the language model by listing the service's models. It generates no text, so it costs nothing. */
export const checkDrafts = async (settings: DraftsSettings): Promise<ReadonlyArray<Finding>> => {
  const faults = toMissingSettingFindings("drafts", listMissingDraftsSettings(settings))
  const service = getDraftsServiceOptions(settings)
  return service === undefined ? faults : [...faults, await probeService(service)]
}

const probeService = async (service: NonNullable<ReturnType<typeof getDraftsServiceOptions>>): Promise<Finding> => {
  const { checkModel: examine } = await import("@trailbook/drafter/ChatCompletions")
  const { layer } = await import("@effect/platform/FetchHttpClient")
  const { host } = new URL(service.url)
  const result = await Effect.runPromise(Effect.either(examine(service)).pipe(Effect.provide(layer)))
  if (result._tag === "Left") {
    return makeFailedFinding(
      "drafts",
      `the language model at ${host}: ${result.left.message}`,
      "Check --drafts-url, TRAILBOOK_DRAFTS_KEY, and this machine's network access."
    )
  }
  const { hasModel } = result.right
  if (hasModel === false) {
    return makeFailedFinding(
      "drafts",
      `${host} has no model ${service.model}`,
      "Set --drafts-model to a model that the service lists."
    )
  }
  return makePassedFinding(
    "drafts",
    hasModel === null
      ? `${host} responds but does not list models, so ${service.model} was not checked`
      : `${host} has ${service.model}`
  )
}
