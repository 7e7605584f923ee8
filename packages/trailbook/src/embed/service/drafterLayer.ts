import { Drafter, DraftFailed } from "@trailbook/core/conversation"
import { draftsLayer } from "@trailbook/runtime/service/draftsLayer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hostFailure } from "../transaction/hostFailure.ts"
import type * as Host from "./Drafter.ts"

export const drafterLayer = (
  drafter: Host.Drafter | Host.LanguageModel | undefined
): Layer.Layer<Drafter> | undefined => {
  if (drafter === undefined) return undefined
  if ("url" in drafter) {
    return draftsLayer({ draftsUrl: drafter.url, draftsModel: drafter.model, draftsKey: drafter.key })
  }
  return Layer.succeed(
    Drafter,
    Drafter.of({
      draft: (prompt) =>
        Effect.tryPromise({
          try: async () => {
            const text: unknown = await drafter.draft(prompt)
            if (typeof text !== "string") throw new TypeError("draft: must return a string")
            return text
          },
          catch: (error) => new DraftFailed({ message: hostFailure("drafter", error) })
        })
    })
  )
}
