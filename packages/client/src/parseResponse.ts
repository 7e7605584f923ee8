/** The outcome of one attempt. */
export type Attempt =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false
    readonly code: string
    readonly status: number
    readonly message: string
    readonly requestId: string | undefined
    readonly retryAfterSeconds: number | undefined
    /** The server or a proxy asks to retry. */
    readonly isPassing: boolean
    /** The server failed. A retry may succeed, and the request may have taken effect. */
    readonly mayPass: boolean
    /** The request was rejected before it had any effect, and may succeed later. */
    readonly isTurnedAway: boolean
    readonly cause?: unknown
  }

/** Parses a response. */
export const parseResponse = ({ headers, ok, status }: Response, text: string): Attempt => {
  const json = parsed(text)
  if (ok && isObject(json)) return { ok: true, value: json }
  const error = isObject(json) && isObject(json.error) ? json.error : {}
  const isOurs = !ok && typeof error.code === "string" && typeof error.message === "string"
  const code = isOurs ? String(error.code) : "unexpected"
  return {
    ok: false,
    code,
    status,
    message: isOurs ? String(error.message) : `The server that responded with status ${status} is not Trailbook.`,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: secondsOf(headers.get("retry-after")),
    isPassing: code === "rate_limited" || status === 502 || status === 503 || status === 504,
    mayPass: status >= 500,
    isTurnedAway: code === "rate_limited"
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads `Retry-After` in seconds. A proxy may send a date instead, which is ignored. */
const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined
