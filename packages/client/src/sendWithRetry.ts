import { buildRequest, type PreparedRequest } from "./buildRequest.ts"
import type { CallOptions } from "./Client.ts"
import type { ClientOptions } from "./createClient.ts"
import { type Attempt, parseResponse } from "./parseResponse.ts"
import { backoffMs, longestRetryAfterSeconds, type RetryPolicy } from "./RetryPolicy.ts"
import type { Route } from "./Route.ts"
import { TrailbookError, type TransportCode } from "./TrailbookError.ts"

/** Sends a request until it is answered, or may not or need not be sent again. */
export type SendRequest = (
  route: Route,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions
) => Promise<unknown>

/** The same for a request that is made already. */
export type Send = (request: PreparedRequest, isRepeatable: boolean, options: CallOptions) => Promise<unknown>

export const makeSendWithRetry = (
  options: ClientOptions,
  patience: RetryPolicy
): { readonly ask: SendRequest; readonly send: Send } => {
  const { apiKey, fetch = (url, init) => globalThis.fetch(url, init), retries = 3 } = options
  // An environment variable that is not set would look like a key that was revoked.
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("apiKey must be an API key")
  if (!URL.canParse(`${options.baseUrl}`)) {
    throw new TypeError("baseUrl must be an address such as https://book.example.com/v1")
  }
  const base = new URL(options.baseUrl).href.replace(/(?<!\/)\/+$/, "")

  const attempt = async (
    request: PreparedRequest,
    { signal, timeoutMs = options.timeoutMs ?? 10_000 }: CallOptions
  ) => {
    const controller = new AbortController()
    const giveUp = () => controller.abort(signal?.reason)
    signal?.throwIfAborted()
    signal?.addEventListener("abort", giveUp, { once: true })
    const timer = setTimeout(() => controller.abort(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs)
    try {
      const response = await fetch(base + request.path, {
        method: request.method,
        headers: { authorization: `Bearer ${apiKey}`, accept: "application/json", ...request.headers },
        body: request.body,
        // Next.js keeps answers whatever their headers say, and would show times that are long taken.
        cache: "no-store",
        // Followed, a request may lose its body on the way, or show its key to somebody else.
        redirect: "manual",
        signal: controller.signal
      })
      return parseResponse(response, await response.text())
    } catch (cause) {
      signal?.throwIfAborted()
      // So Next.js interrupts a page that it renders while it builds: it is to be rendered at each request instead.
      if (cause instanceof Error && "digest" in cause) throw cause
      return unanswered(controller.signal.aborted ? "timeout" : "unreachable", cause)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener("abort", giveUp)
    }
  }

  const send: Send = async (request, isRepeatable, options) => {
    for (let attempts = 1;; attempts += 1) {
      const answer = await attempt(request, options)
      if (answer.ok) return answer.value
      const wait = answer.retryAfterSeconds ?? 0
      if (!isRepeatable || !answer.isPassing || attempts > retries || wait > longestRetryAfterSeconds) {
        throw new TrailbookError({ ...answer, retryable: isHarmless(answer, request) })
      }
      await patience.pause(backoffMs(attempts, wait, patience.random), options.signal)
    }
  }
  return { ask: async (route, input, options) => send(buildRequest(route, input), route.isRepeatable, options), send }
}

/**
 * Whether the caller may send it again: not when it may have been carried out and a second call would be a second
 * order. Under a key that was made here it would be, for the caller does not know the key.
 */
const isHarmless = (answer: Attempt & { readonly ok: false }, request: PreparedRequest): boolean =>
  answer.isTurnedAway || answer.mayPass && request.isRepeatableByCaller

const unanswered = (code: TransportCode, cause: unknown): Attempt => ({
  ok: false,
  code,
  status: 0,
  message: cause instanceof Error ? cause.message : String(cause),
  requestId: undefined,
  retryAfterSeconds: undefined,
  isPassing: true,
  mayPass: true,
  isTurnedAway: false,
  cause
})
