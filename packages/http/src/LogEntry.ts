/**
 * One line of the log, as JSON. It names the operation and the pattern of its
 * route, never a query, a body or a key: nothing of a person. Of an address that no
 * route takes it has the plain words of the path. What is
 * `undefined` is not known, and JSON leaves it out.
 */
export interface LogEntry {
  /** ISO 8601 in UTC. */
  readonly time: string
  readonly level: Level
  readonly msg: "request" | "defect" | "connection"
  readonly request_id: string
  readonly org_id?: string | undefined
  /** The operation's name. */
  readonly op?: string | undefined
  readonly method?: string | undefined
  /** The pattern, such as `/v1/bookings/:id`. */
  readonly route?: string | undefined
  /** Where there is no route: its plain words, and `…` for all else, such as `/v1/bookings/…/confrm`. */
  readonly path?: string | undefined
  readonly status?: number | undefined
  readonly ms?: number | undefined
  /** The code of the error that was answered. */
  readonly code?: string | undefined
  /** What broke, with its stack. */
  readonly error?: string | undefined
}

export type Level = "debug" | "info" | "warn" | "error"

export type Log = (entry: LogEntry) => void

export const statusLevel = (status: number): Level => status >= 500 ? "error" : status >= 400 ? "warn" : "info"
