/**
 * Requests JSON from another service and reads fields from the response. Redirects are not followed, because they could
 * send keys and guest data to another host.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { currentTraceHeaders } from "@trailbook/core/port"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export interface JsonResponse {
  readonly status: number
  /** The parsed body if the status is 200, or `undefined` otherwise. */
  readonly json: unknown
}

/** The reason a request failed, without any part of the request or response. */
export type FetchError = "unreachable" | "too_long" | "not_json"

/**
 * Sends a request and reads at most `maxBytes` from its response. The caller sets a timeout, which interrupts the
 * request.
 */
export const fetchJson = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  maxBytes: number
): Effect.Effect<JsonResponse, FetchError> =>
  Effect.gen(function*() {
    const tracedRequest = HttpClientRequest.setHeaders(request, yield* currentTraceHeaders)
    // Closing the scope aborts a response that has not been fully read.
    const response = yield* Effect.withTracerEnabled(HttpClient.withScope(client).execute(tracedRequest), false)
    if (response.status !== 200) return { status: response.status, json: undefined }
    const decoder = new TextDecoder()
    let bytes = 0
    let text = ""
    yield* Stream.runForEach(response.stream, (chunk) => {
      bytes += chunk.byteLength
      text += decoder.decode(chunk, { stream: true })
      return bytes > maxBytes ? Effect.fail("too_long" as const) : Effect.void
    })
    return yield* Effect.try({
      try: (): JsonResponse => ({ status: 200, json: JSON.parse(text + decoder.decode()) }),
      catch: () => "not_json" as const
    })
  }).pipe(
    Effect.scoped,
    Effect.mapError((fault) => typeof fault === "string" ? fault : "unreachable"),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    Effect.withSpan("fetchJson", { captureStackTrace: false, kind: "client" })
  )

/** Reads a field from untrusted JSON, or returns undefined if it is missing. */
export const readField = (value: unknown, ...path: ReadonlyArray<string>): unknown => {
  let current = value
  for (const name of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) return undefined
    current = current[name as keyof typeof current]
  }
  return current
}

export const toArray = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** Returns a finite number, or null. */
export const toFiniteNumber = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null
