import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { type Reason, type SignalUnavailable, signalUnavailable } from "@trailbook/core/forecast/SignalUnavailable"
import { fetchJson } from "@trailbook/http/fetchJson"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface RequestOptions {
  /** A contact address of the operator, sent with each request. */
  readonly contact?: string | undefined
  /** The timeout of a request, including the body. Default: 10 seconds. */
  readonly within?: Duration.DurationInput | undefined
}

interface Signal {
  readonly _tag: "Answered"
  readonly json: unknown
}

type FetchSignal = (url: URL, headers?: Readonly<Record<string, string>>) => Effect.Effect<Signal | SignalUnavailable>

/**
 * Requests JSON from a weather or river service. `source` is its name for users. Every failure is returned as a reason.
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
          return reason === undefined ? { _tag: "Answered" as const, json } : signalUnavailable(source, reason)
        },
        onFailure: (fault) => signalUnavailable(source, fault === "unreachable" ? fault : "unreadable")
      }),
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
    ))

/** The identification that weather services require: the product, and the contact address of the operator. */
const userAgent = (contact: string | undefined): string =>
  contact === undefined ? "Trailbook" : `Trailbook (${contact.replace(/[^\x20-\x7e]|[()]/g, "")})`

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

/** Two weeks of hourly values are 40 kB, and those of a grid are 300 kB. */
const maxBytes = 4 * 1024 * 1024
