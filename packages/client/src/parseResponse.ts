/** The result of a single attempt. */
export type Attempt =
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

export const parseResponse = ({ headers, ok, status }: Response, text: string): Attempt => {
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
