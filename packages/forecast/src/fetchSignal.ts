import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { makeSignalUnavailable, type SignalUnavailable, type SignalUnavailableReason } from "@trailbook/core/forecast"
import { fetchJson } from "@trailbook/http/fetchJson"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface RequestOptions {
  /** The operator's contact address. It is included in every request. */
  readonly contact?: string | undefined
  /** The time limit for a request, including its body. Default: 10 seconds. */
  readonly within?: Duration.DurationInput | undefined
}

interface Signal {
  readonly _tag: "Answered"
  readonly json: unknown
}

type FetchSignal = (url: URL, headers?: Readonly<Record<string, string>>) => Effect.Effect<Signal | SignalUnavailable>

/**
 * Requests JSON from a weather or river service. `source` is the service's display name. A failure is returned as a
 * reason.
 */
export const makeFetchSignal = (
  source: string,
  { contact, within = "10 seconds" }: RequestOptions
): Effect.Effect<FetchSignal, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (client) => (url, headers) =>
    fetchJson(
      client,
      HttpClientRequest.get(url, {
        headers: { accept: "application/json, application/geo+json", "user-agent": userAgent(contact), ...headers }
      }),
      maxBytes
    ).pipe(
      Effect.match({
        onSuccess: ({ json, status }) => {
          const reason = reasonOf(status)
          return reason === undefined ? { _tag: "Answered" as const, json } : makeSignalUnavailable(source, reason)
        },
        onFailure: (fault) => makeSignalUnavailable(source, fault === "unreachable" ? fault : "unreadable")
      }),
      Effect.timeoutTo({
        duration: within,
        onSuccess: (answer) => answer,
        onTimeout: () => makeSignalUnavailable(source, "slow")
      }),
      Effect.tap((answer) =>
        answer._tag === "NoSignal"
          ? Effect.annotateLogs(Effect.logDebug("Request failed"), { source, reason: answer.reason })
          : Effect.void
      )
    ))

/** Returns the user agent. Weather services require the product name and the operator's contact address. */
const userAgent = (contact: string | undefined): string =>
  contact === undefined ? "Trailbook" : `Trailbook (${contact.replace(/[^\x20-\x7e]|[()]/g, "")})`

/**
 * Maps an HTTP status to a failure reason. A redirect is treated as a refusal, because our requests give these services
 * no reason to redirect.
 */
const reasonOf = (status: number): SignalUnavailableReason | undefined => {
  if (status === 200) return undefined
  if (status === 429) return "limited"
  if (status === 404) return "nowhere"
  return status >= 500 ? "broken" : "refused"
}

/** Two weeks of hourly values take 40 kB, and a grid takes 300 kB, so this limit is generous. */
const maxBytes = 4 * 1024 * 1024
