import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { ChatCompletions } from "@trailbook/drafter"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/** A `Drafter` that uses a local model. */
export const localDrafter = ChatCompletions.layer({ url: "http://127.0.0.1:11434/v1", model: "llama3.2" }).pipe(
  Layer.provide(FetchHttpClient.layer)
)

/** A `Drafter` that uses a hosted model. */
export const hostedDrafter = ChatCompletions.layer({
  url: "https://api.openai.com/v1",
  model: "gpt-5-mini",
  key: Redacted.make(process.env["DRAFTS_KEY"] ?? "")
}).pipe(Layer.provide(FetchHttpClient.layer))
