/** What an error of the driver means. */

/**
 * The connection is gone, or there was none to be had: the server does not run,
 * refuses us, or does not answer.
 */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * Whether the connection went with the error: everything that Postgres did not
 * say itself, with one of its codes, and what it says as it hangs up.
 */
export const isConnectionError = (error: unknown): boolean =>
  !(error instanceof Error && "severity" in error) || /^(08|57P0|25P0[34])/.test(sqlState(error))

export const isUnavailable = (error: unknown): boolean =>
  error instanceof ConnectionLost || unavailable.test(sqlState(error))

/**
 * Another transaction won: a deadlock that Postgres ended, a lock that was not to
 * be had in time, an order of writes that cannot be.
 */
export const isContended = (error: unknown): boolean => /^(40001|40P01|55P03)$/.test(sqlState(error))

/**
 * Classes 08 (connection), 53 (out of memory, disk, connections), 57 (shut down,
 * cancelled, the statement's time-out) and 58 (the disk fails), and the time-outs
 * of transactions.
 */
const unavailable = /^(08|53|57|58|25P0[34])/

/** What Postgres calls an error; empty when it was not its own. */
export const sqlState = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""
