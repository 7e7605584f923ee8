/**
 * One request to a language model's service for a JSON answer. No more is read than may
 * be, and no redirect is followed: it would carry the key and a guest's words elsewhere.
 * Nothing of an answer is in a failure, for it may repeat what the guest wrote.
 */
import { DraftFailed } from "@trailbook/core/conversation/Drafter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** Where a service is and how it knows us. */
export interface Service {
  /** What `/chat/completions` is added to, such as `https://api.openai.com/v1`. */
  readonly url: string
  /** Left out where none is asked for, as on this machine. */
  readonly key?: Redacted.Redacted | undefined
}

/** What came back: JSON, or nothing that could be read, with its status. */
export interface JsonResponse {
  readonly status: number
  readonly json: unknown
}

/** Asks without a limit of time: who asks sets one, and interrupts. */
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
      if (fault instanceof SyntaxError) return draftFailed("Its answer is no JSON.")
      return draftFailed(fault instanceof TooLong ? "Its answer is too long." : "It cannot be reached.")
    }
  })

export const draftFailed = (message: string): DraftFailed => new DraftFailed({ message })

/** Why a status is no answer. */
export const refusedWith = (status: number): string => {
  const said = `(status ${status})`
  if (status === 401 || status === 403) return `It refuses our key ${said}.`
  if (status === 404) return `It does not know the address or the model ${said}.`
  if (status === 429) return `It has had too many requests, or its account is empty ${said}.`
  return status >= 500 ? `It has a fault ${said}.` : `It refuses the request ${said}.`
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
