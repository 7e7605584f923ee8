/**
 * One log line as JSON. It contains the operation and the route pattern, but never a query, a body, a key, or other
 * personal data. For an unknown path, it contains only the plain words. JSON omits `undefined` fields.
 */
export interface LogEntry {
  /** ISO 8601 in UTC. */
  readonly time: string
  readonly level: Level
  readonly msg: "request" | "defect" | "connection"
  readonly request_id: string
  readonly trace_id?: string | undefined
  readonly org_id?: string | undefined
  /** The operation's name. */
  readonly op?: string | undefined
  readonly method?: string | undefined
  /** The route pattern, such as `/v1/bookings/:id`. */
  readonly route?: string | undefined
  /**
   * The redacted path of a request without a route: plain words, and `…` for all other segments, such as
   * `/v1/bookings/…/confrm`.
   */
  readonly path?: string | undefined
  readonly status?: number | undefined
  readonly ms?: number | undefined
  /** The error code of the response. */
  readonly code?: string | undefined
  /** The defect with its stack. */
  readonly error?: string | undefined
}

export type Level = "debug" | "info" | "warn" | "error"

export type Log = (entry: LogEntry) => void

/** A booking that is refused because the departure is full is expected, so it is not a warning. */
export const statusLevel = (status: number, code?: string): Level =>
  status >= 500 ? "error" : status >= 400 && code !== "slot_full" ? "warn" : "info"
