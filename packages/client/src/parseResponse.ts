/** What came of one attempt. */
export type Attempt =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false
    readonly code: string
    readonly status: number
    readonly message: string
    readonly requestId: string | undefined
    readonly retryAfterSeconds: number | undefined
    /** The server, or who stands before it, asks to try again. */
    readonly isPassing: boolean
    /** Something went wrong there: it may go well another time, and it may have been carried out. */
    readonly mayPass: boolean
    /** Nothing was done: the request was turned away at the door, and may be let in later. */
    readonly isTurnedAway: boolean
    readonly cause?: unknown
  }

/** Reads a response. */
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
    message: isOurs ? String(error.message) : `What answered with status ${status} is not Trailbook.`,
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

/** Trailbook says seconds; who stands before it may give a date, which is not worth a second clock. */
const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined
