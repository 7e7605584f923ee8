/**
 * A language model behind an OpenAI-compatible `/chat/completions` endpoint, such as OpenAI, Ollama, vLLM, or
 * llama.cpp. Requests one text and offers no tools.
 */
import { Drafter, type DraftFailed } from "@trailbook/core/conversation/Drafter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { draftFailed, fetchJson, refusedWith, type Service } from "./fetchJson.ts"

export interface Options extends Service {
  /** The provider's model name, such as `gpt-5-mini` or `llama3.2`. */
  readonly model: string
}

export const layer = (options: Options): Layer.Layer<Drafter> =>
  Layer.succeed(
    Drafter,
    Drafter.of({
      draft: ({ instructions, material }) =>
        Effect.flatMap(
          fetchJson(options, "/chat/completions", {
            model: options.model,
            messages: [{ role: "system", content: instructions }, { role: "user", content: material }]
          }),
          ({ json, status }) => {
            if (status !== 200) return draftFailed(refusedWith(status))
            const text = textOf(json)
            return text === undefined ? draftFailed("The response contains no text.") : Effect.succeed(text)
          }
        )
    })
  )

/** The result of a check that generates no text. */
export interface ServiceCheck {
  /** Whether the provider lists the model. Null if the provider has no model list. */
  readonly hasModel: boolean | null
}

/** Requests the list of models, with a timeout of 10 seconds. */
export const examine = (options: Options): Effect.Effect<ServiceCheck, DraftFailed> =>
  Effect.flatMap(fetchJson(options, "/models"), ({ json, status }): Effect.Effect<ServiceCheck, DraftFailed> => {
    // Some providers have no model list.
    if (status === 404 || status === 405) return Effect.succeed({ hasModel: null })
    if (status !== 200) return draftFailed(refusedWith(status))
    const models = listOf(json, "data").map((model) => fieldOf(model, "id"))
    if (models.length === 0) return Effect.succeed({ hasModel: null })
    return Effect.succeed({ hasModel: models.some((id) => id === options.model || id === `${options.model}:latest`) })
  }).pipe(
    Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => draftFailed("The service did not respond in time.") })
  )

/** Reads the text of a response, which some providers send in parts. */
const textOf = (json: unknown): string | undefined => {
  const content = fieldOf(fieldOf(listOf(json, "choices")[0], "message"), "content")
  if (typeof content === "string") return content
  const parts = Array.isArray(content) ? content.map((part: unknown) => fieldOf(part, "text")) : []
  const texts = parts.filter((part) => typeof part === "string")
  return texts.length === 0 ? undefined : texts.join("")
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const listOf = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const list = fieldOf(value, name)
  return Array.isArray(list) ? list : []
}
