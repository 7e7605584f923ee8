import { draftsService, type DraftsSettings } from "@trailbook/runtime/service/draftsLayer"
import { draftsMissing } from "@trailbook/server/dependentSettings"
import * as Effect from "effect/Effect"
import { fault, type Finding, incomplete, makePassed } from "./Finding.ts"

/** Checks the language model by listing the service's models. It generates no text, so it costs nothing. */
export const drafts = async (settings: DraftsSettings): Promise<ReadonlyArray<Finding>> => {
  const faults = incomplete("drafts", draftsMissing(settings))
  const service = draftsService(settings)
  return service === undefined ? faults : [...faults, await probeService(service)]
}

const probeService = async (service: NonNullable<ReturnType<typeof draftsService>>): Promise<Finding> => {
  const { examine } = await import("@trailbook/drafter/ChatCompletions")
  const { layer } = await import("@effect/platform/FetchHttpClient")
  const { host } = new URL(service.url)
  const result = await Effect.runPromise(Effect.either(examine(service)).pipe(Effect.provide(layer)))
  if (result._tag === "Left") {
    return fault(
      "drafts",
      `the language model at ${host}: ${result.left.message}`,
      "Check --drafts-url, TRAILBOOK_DRAFTS_KEY, and this machine's network access."
    )
  }
  const { hasModel } = result.right
  if (hasModel === false) {
    return fault(
      "drafts",
      `${host} has no model ${service.model}`,
      "Set --drafts-model to a model that the service lists."
    )
  }
  return makePassed(
    "drafts",
    hasModel === null
      ? `${host} responds but does not list models, so ${service.model} was not checked`
      : `${host} has ${service.model}`
  )
}
