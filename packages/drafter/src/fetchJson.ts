/**
 * Sends one request to a language model provider and reads a JSON response. The response size is limited, and
 * redirects are not followed because they would send the key and the guest's text to another host. Failures never
 * contain the response, which may repeat the guest's text.
 */
import { DraftFailed } from "@trailbook/core/conversation/Drafter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** The endpoint and credentials of a provider. */
export interface Service {
  /** The base URL, to which `/chat/completions` is appended, such as `https://api.openai.com/v1`. */
  readonly url: string
  /** Omitted if the provider requires no key, such as a local one. */
  readonly key?: Redacted.Redacted | undefined
}

/** A response with its status, and its JSON if it could be parsed. */
export interface JsonResponse {
  readonly status: number
  readonly json: unknown
}

/** Sends the request without a timeout. The caller sets one and interrupts. */
export const fetchJson = (
  { key, url }: Service,
  path: string,
  body?: unknown
): Effect.Effect<JsonResponse, DraftFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${url.replace(/(?<!\/)\/+$/, "")}${path}`, {
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key)}` })
        },
        redirect: "manual",
        signal
      })
      if (response.status !== 200) {
        await response.body?.cancel()
        return { status: response.status, json: undefined }
      }
      const json: unknown = JSON.parse(await textOf(response))
      return { status: 200, json }
    },
    catch: (fault) => {
      if (fault instanceof SyntaxError) return draftFailed("The response is not JSON.")
      return draftFailed(fault instanceof TooLong ? "The response is too long." : "The service is unreachable.")
    }
  })

export const draftFailed = (message: string): DraftFailed => new DraftFailed({ message })

/** Describes an unsuccessful status. */
export const refusedWith = (status: number): string => {
  const detail = `(status ${status})`
  if (status === 401 || status === 403) return `The service rejected the API key ${detail}.`
  if (status === 404) return `The URL or the model does not exist ${detail}.`
  if (status === 429) return `Too many requests, or the account has no credit ${detail}.`
  return status >= 500 ? `The service failed ${detail}.` : `The service rejected the request ${detail}.`
}

class TooLong extends Error {}

const maxBytes = 1024 * 1024

const textOf = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  if (response.body === null) return text
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the body.
    if (bytes > maxBytes) throw new TooLong()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
