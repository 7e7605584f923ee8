/**
 * Drafts replies through an OpenAI-compatible `/chat/completions` endpoint, such as OpenAI, Ollama, vLLM, or llama.cpp.
 * The model has no access to tools.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Drafter, DraftFailed } from "@trailbook/core/conversation"
import { type FetchError, fetchJson, type JsonResponse, readField, toArray } from "@trailbook/http/fetchJson"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/** A provider's endpoint, credentials, and model. */
export interface Options {
  /** The base URL without `/chat/completions`, such as `https://api.openai.com/v1`. */
  readonly url: string
  /** The API key. Local models often need no key. */
  readonly key?: Redacted.Redacted | undefined
  /** The model, such as `gpt-5-mini` or `llama3.2`. */
  readonly model: string
}

/** A `Drafter` without its own timeout. The caller sets a timeout and interrupts the request. */
export const layer = (options: Options): Layer.Layer<Drafter, never, HttpClient.HttpClient> =>
  Layer.effect(
    Drafter,
    Effect.map(HttpClient.HttpClient, (client) =>
      Drafter.of({
        draft: ({ instructions, material }) =>
          Effect.flatMap(
            request(client, options, "/chat/completions", {
              model: options.model,
              messages: [{ role: "system", content: instructions }, { role: "user", content: material }]
            }),
            ({ json, status }) => {
              if (status !== 200) return draftFailed(describeStatus(status))
              const text = extractText(json)
              return text === undefined ? draftFailed("The response contains no text.") : Effect.succeed(text)
            }
          )
      }))
  )

/** The result of a model check, which generates no text. */
export interface ModelCheckResult {
  /** Whether the provider offers the model, or null if it does not list its models. */
  readonly hasModel: boolean | null
}

/** Reads the provider's list of models. Fails after 10 seconds. */
export const checkModel = (options: Options): Effect.Effect<ModelCheckResult, DraftFailed, HttpClient.HttpClient> =>
  HttpClient.HttpClient.pipe(
    Effect.flatMap((client) => request(client, options, "/models")),
    Effect.flatMap(({ json, status }): Effect.Effect<ModelCheckResult, DraftFailed> => {
      if (status === 404 || status === 405) return Effect.succeed({ hasModel: null })
      if (status !== 200) return draftFailed(describeStatus(status))
      const models = toArray(readField(json, "data")).map((model) => readField(model, "id"))
      if (models.length === 0) return Effect.succeed({ hasModel: null })
      return Effect.succeed({ hasModel: models.some((id) => id === options.model || id === `${options.model}:latest`) })
    }),
    Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => draftFailed("The service did not respond in time.") })
  )

/** Sends a request. The response may contain text from the guest, so it never appears in an error. */
const request = (
  client: HttpClient.HttpClient,
  { key, url }: Options,
  path: string,
  body?: unknown
): Effect.Effect<JsonResponse, DraftFailed> => {
  const headers = {
    accept: "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key)}` })
  }
  const address = `${url.replace(/(?<!\/)\/+$/, "")}${path}`
  const clientRequest = body === undefined
    ? HttpClientRequest.get(address, { headers })
    : HttpClientRequest.bodyUnsafeJson(HttpClientRequest.post(address, { headers }), body)
  return Effect.mapError(fetchJson(client, clientRequest, maxBytes), (fault) => draftFailed(faultMessages[fault]))
}

const maxBytes = 1024 * 1024

const faultMessages: Readonly<Record<FetchError, string>> = {
  not_json: "The response is not JSON.",
  too_long: "The response is too long.",
  unreachable: "The service is unreachable."
}

const draftFailed = (message: string): DraftFailed => new DraftFailed({ message })

const describeStatus = (status: number): string => {
  const detail = `(status ${status})`
  if (status === 401 || status === 403) return `The service rejected the API key ${detail}.`
  if (status === 404) return `The URL or model does not exist ${detail}.`
  if (status === 429) return `Too many requests, or the account is out of credit ${detail}.`
  return status >= 500 ? `The service failed ${detail}.` : `The service rejected the request ${detail}.`
}

/** Reads the text from a response, which some providers split into parts. */
const extractText = (json: unknown): string | undefined => {
  const content = readField(toArray(readField(json, "choices"))[0], "message", "content")
  if (typeof content === "string") return content
  const parts = toArray(content).map((part) => readField(part, "text"))
  const texts = parts.filter((part) => typeof part === "string")
  return texts.length === 0 ? undefined : texts.join("")
}
