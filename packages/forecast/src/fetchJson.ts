/**
 * Sends one HTTP request and reads a JSON response. It has a timeout and a size limit, and does not follow redirects.
 * Every failure is returned as a reason.
 */
import { type Reason, type SignalUnavailable, signalUnavailable } from "@trailbook/core/forecast/SignalUnavailable"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface JsonRequest {
  /** The name of the service for users. */
  readonly source: string
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** The timeout of the complete request, including the body. */
  readonly within: Duration.DurationInput
}

export interface JsonResponse {
  readonly _tag: "Answered"
  readonly json: unknown
}

/** The identification that weather services require: the product, and the contact address of the operator. */
export const userAgent = (contact: string | undefined): string =>
  contact === undefined ? "Trailbook" : `Trailbook (${contact.replace(/[^\x20-\x7e]|[()]/g, "")})`

export const fetchJson = (
  { headers = {}, source, url, within }: JsonRequest
): Effect.Effect<JsonResponse | SignalUnavailable> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, {
        headers: { accept: "application/json, application/geo+json", ...headers },
        redirect: "manual",
        signal
      })
      const reason = reasonOf(response.status)
      if (reason !== undefined) {
        await response.body?.cancel()
        return signalUnavailable(source, reason)
      }
      const json: unknown = JSON.parse(await textOf(response))
      return { _tag: "Answered" as const, json }
    },
    catch: (fault) =>
      signalUnavailable(source, fault instanceof SyntaxError || fault instanceof TooLong ? "unreadable" : "unreachable")
  }).pipe(
    Effect.merge,
    Effect.timeoutTo({
      duration: within,
      onSuccess: (answer) => answer,
      onTimeout: () => signalUnavailable(source, "slow")
    }),
    Effect.tap((answer) =>
      answer._tag === "NoSignal"
        ? Effect.annotateLogs(Effect.logDebug("Request failed"), { source, reason: answer.reason })
        : Effect.void
    )
  )

/**
 * Maps a status to a failure reason. Redirects are not followed, because none of the services has a reason to
 * redirect.
 */
const reasonOf = (status: number): Reason | undefined => {
  if (status === 200) return undefined
  if (status === 429) return "limited"
  if (status === 404) return "nowhere"
  return status >= 500 ? "broken" : "refused"
}

class TooLong extends Error {}

/** Two weeks of hourly values are 40 kB, and those of a grid are 300 kB. */
const maxBytes = 4 * 1024 * 1024

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
