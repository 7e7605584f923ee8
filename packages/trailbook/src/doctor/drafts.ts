import * as Effect from "effect/Effect"
import { draftsMissing } from "../server/dependentSettings.ts"
import { draftsService, type DraftsSettings } from "../server/draftsLayer.ts"
import { fault, type Finding, incomplete, makePassed } from "./Finding.ts"

/**
 * Whether replies can be drafted: by asking the service which models it has. Nothing is
 * worded, so it costs nothing.
 */
export const drafts = async (settings: DraftsSettings): Promise<ReadonlyArray<Finding>> => {
  const missing = incomplete("drafts", draftsMissing(settings))
  const service = draftsService(settings)
  return service === undefined ? missing : [...missing, await asked(service)]
}

const asked = async (service: NonNullable<ReturnType<typeof draftsService>>): Promise<Finding> => {
  const { examine } = await import("@trailbook/drafter/ChatCompletions")
  const { host } = new URL(service.url)
  const found = await Effect.runPromise(Effect.either(examine(service)))
  if (found._tag === "Left") {
    return fault(
      "drafts",
      `the language model at ${host}: ${found.left.message}`,
      "Correct --drafts-url and TRAILBOOK_DRAFTS_KEY, and let this machine connect there."
    )
  }
  const { hasModel } = found.right
  if (hasModel === false) {
    return fault(
      "drafts",
      `${host} has no model ${service.model}`,
      "Set --drafts-model to the name of one that it has."
    )
  }
  return makePassed(
    "drafts",
    hasModel === null
      ? `${host} answers; it does not say whether it has ${service.model}`
      : `${host} has ${service.model}`
  )
}
