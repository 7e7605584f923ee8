import { buildRequest, type PreparedRequest } from "./buildRequest.ts"
import type { CallOptions } from "./Client.ts"
import type { ClientOptions } from "./createClient.ts"
import type { Route } from "./Route.ts"
import { TrailbookError, type TransportErrorCode } from "./TrailbookError.ts"

/** Sends an operation's request and retries it. */
export type RequestSender = (
  route: Route,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions
) => Promise<unknown>

/** Sends a prepared request, and retries it if `isRepeatable` is true. */
export type PreparedRequestSender = (
  request: PreparedRequest,
  isRepeatable: boolean,
  options: CallOptions
) => Promise<unknown>

export const makeSendWithRetry = (
  options: ClientOptions,
  retryPolicy: RetryDependencies
): { readonly ask: RequestSender; readonly send: PreparedRequestSender } => {
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
    const onAbort = () => controller.abort(signal?.reason)
    signal?.throwIfAborted()
    signal?.addEventListener("abort", onAbort, { once: true })
    const timer = setTimeout(() => controller.abort(new Error(`No response within ${timeoutMs} ms.`)), timeoutMs)
    try {
      const response = await fetch(base + request.path, {
        method: request.method,
        headers: { authorization: `Bearer ${apiKey}`, accept: "application/json", ...request.headers },
        body: request.body,
        // Next.js ignores caching headers in responses, so it would otherwise show outdated availability.
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
      signal?.removeEventListener("abort", onAbort)
    }
  }

  const send: PreparedRequestSender = async (request, isRepeatable, options) => {
    for (let attemptNumber = 1;; attemptNumber += 1) {
      const result = await attempt(request, options)
      if (result.ok) return result.value
      const retryAfterSeconds = result.retryAfterSeconds ?? 0
      if (
        !isRepeatable || !result.isPassing || attemptNumber > retries || retryAfterSeconds > maxRetryAfterSeconds
      ) {
        throw new TrailbookError({ ...result, retryable: isRetryable(result, request) })
      }
      await retryPolicy.pause(backoffMs(attemptNumber, retryAfterSeconds, retryPolicy.random), options.signal)
    }
  }
  return { ask: async (route, input, options) => send(buildRequest(route, input), route.isRepeatable, options), send }
}

/**
 * Whether the caller can safely repeat the call. A second call is unsafe if the first call may have taken effect under
 * a generated idempotency key, which the caller does not know.
 */
const isRetryable = (result: Attempt & { readonly ok: false }, request: PreparedRequest): boolean =>
  result.isTurnedAway || result.mayPass && request.isRepeatableByCaller

const transportFailure = (code: TransportErrorCode, cause: unknown): Attempt => ({
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

/** The result of a single attempt. */
type Attempt =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false
    readonly code: string
    readonly status: number
    readonly message: string
    readonly requestId: string | undefined
    readonly retryAfterSeconds: number | undefined
    /** The server or a proxy is overloaded or unavailable, so the client retries. */
    readonly isPassing: boolean
    /** The server failed, so the request may have taken effect, but a retry can succeed. */
    readonly mayPass: boolean
    /** The server rejected the request before it took effect, so a retry can succeed. */
    readonly isTurnedAway: boolean
    readonly cause?: unknown
  }

const parseResponse = ({ headers, ok, status }: Response, text: string): Attempt => {
  const json = parseJson(text)
  if (ok && isObject(json)) return { ok: true, value: json }
  const error = isObject(json) && isObject(json.error) ? json.error : {}
  const isOurs = !ok && typeof error.code === "string" && typeof error.message === "string"
  const code = isOurs ? String(error.code) : "unexpected"
  return {
    ok: false,
    code,
    status,
    message: isOurs
      ? String(error.message)
      : `The server responded with status ${status} but is not a Trailbook server.`,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: secondsOf(headers.get("retry-after")),
    isPassing: code === "rate_limited" || status === 502 || status === 503 || status === 504,
    mayPass: status >= 500,
    isTurnedAway: code === "rate_limited"
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses `Retry-After` in seconds, and ignores the dates that some proxies send. */
const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined

/** The timer and the source of random numbers for the backoff. Tests replace both. */
export interface RetryDependencies {
  readonly pause: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  /** Returns a number in [0, 1). */
  readonly random: () => number
}

const firstMs = 200
const longestMs = 5000

/** If the server's `Retry-After` is longer, the call fails immediately. */
export const maxRetryAfterSeconds = 30

/**
 * Returns the exponential backoff with jitter before retry number `attempt`, which starts at 1. The backoff is added to
 * `Retry-After`, so that clients with the same `Retry-After` do not all retry at the same moment.
 */
const backoffMs = (attempt: number, retryAfterSeconds: number | undefined, random: () => number): number => {
  const most = Math.min(longestMs, firstMs * 2 ** (attempt - 1))
  return (retryAfterSeconds ?? 0) * 1000 + most * (1 + random()) / 2
}
