/**
 * A log line in JSON. It contains the operation and the route pattern, but never a query, body, key, or personal data.
 * The path of an unknown route is redacted. Fields that are `undefined` are omitted from the JSON.
 */
export interface LogEntry {
  /** The time in ISO 8601 format, in UTC. */
  readonly time: string
  readonly level: LogLevel
  readonly msg: "request" | "defect" | "connection"
  readonly request_id: string
  readonly trace_id?: string | undefined
  readonly org_id?: string | undefined
  /** The operation name. */
  readonly op?: string | undefined
  readonly method?: string | undefined
  /** The route pattern, such as `/v1/bookings/:id`. */
  readonly route?: string | undefined
  /**
   * The redacted path, if no route matched the request. Plain words are kept, and every other segment is replaced with
   * `…`, as in `/v1/bookings/…/confrm`.
   */
  readonly path?: string | undefined
  readonly status?: number | undefined
  readonly ms?: number | undefined
  /** The response's error code. */
  readonly code?: string | undefined
  /** The defect with its stack trace. */
  readonly error?: string | undefined
}

export type LogLevel = "debug" | "info" | "warn" | "error"

export type LogEntryWriter = (entry: LogEntry) => void

/**
 * Returns the log level for a status code. A refusal because a departure is full is routine, so it is not logged as a
 * warning.
 */
export const getStatusLogLevel = (status: number, code?: string): LogLevel =>
  status >= 500 ? "error" : status >= 400 && code !== "slot_full" ? "warn" : "info"
