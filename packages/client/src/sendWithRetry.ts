import { buildRequest, type PreparedRequest } from "./buildRequest.ts"
import type { CallOptions } from "./Client.ts"
import type { ClientOptions } from "./createClient.ts"
import { type Attempt, parseResponse } from "./parseResponse.ts"
import { backoffMs, longestRetryAfterSeconds, type RetryPolicy } from "./RetryPolicy.ts"
import type { Route } from "./Route.ts"
import { TrailbookError, type TransportCode } from "./TrailbookError.ts"

/** Sends an operation's request and retries it. */
export type SendRequest = (
  route: Route,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions
) => Promise<unknown>

/** Sends a prepared request, and retries it if `isRepeatable` is true. */
export type Send = (request: PreparedRequest, isRepeatable: boolean, options: CallOptions) => Promise<unknown>

export const makeSendWithRetry = (
  options: ClientOptions,
  patience: RetryPolicy
): { readonly ask: SendRequest; readonly send: Send } => {
  const { apiKey, fetch = (url, init) => globalThis.fetch(url, init), retries = 3 } = options
  // Without this check, an unset environment variable would look like a revoked key.
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError("apiKey must be a non-empty string of printable ASCII characters")
  }
  if (!URL.canParse(`${options.baseUrl}`)) {
    throw new TypeError("baseUrl must be a URL such as https://book.example.com/v1")
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
    const timer = setTimeout(() => controller.abort(new Error(`No response within ${timeoutMs} ms.`)), timeoutMs)
    try {
      const response = await fetch(base + request.path, {
        method: request.method,
        headers: { authorization: `Bearer ${apiKey}`, accept: "application/json", ...request.headers },
        body: request.body,
        // Next.js ignores responses' caching headers and would show outdated availability.
        cache: "no-store",
        // A redirect can drop the body or send the API key to another host.
        redirect: "manual",
        signal: controller.signal
      })
      return parseResponse(response, await response.text())
    } catch (cause) {
      signal?.throwIfAborted()
      // Next.js throws an error with a digest to stop prerendering. Pass that error on, so that Next.js renders the
      // page on each request.
      if (cause instanceof Error && "digest" in cause) throw cause
      return transportFailure(controller.signal.aborted ? "timeout" : "unreachable", cause)
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
 * Whether the caller can safely repeat the call. A second call is unsafe if the first call may have taken effect under
 * a generated idempotency key, which the caller does not know.
 */
const isHarmless = (answer: Attempt & { readonly ok: false }, request: PreparedRequest): boolean =>
  answer.isTurnedAway || answer.mayPass && request.isRepeatableByCaller

const transportFailure = (code: TransportCode, cause: unknown): Attempt => ({
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
