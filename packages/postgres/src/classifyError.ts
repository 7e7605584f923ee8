/** Classifies driver errors. */

/**
 * Reports a connection that was lost or could not be opened. The server is down, rejects the connection, or does not
 * respond.
 */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * Returns whether the error means that the connection was lost. This is true of every error that Postgres did not
 * raise, and of the SQLSTATEs that Postgres sends when it closes a connection.
 */
export const isConnectionError = (error: unknown): boolean =>
  !(error instanceof Error && "severity" in error) || /^(08|57P0|25P0[34])/.test(getSqlState(error))

/**
 * Returns whether the server rejects writes because it is a standby, such as a demoted primary, or because its
 * transactions are read-only by default.
 */
export const isReadOnlyError = (error: unknown): boolean => getSqlState(error) === "25006"

export const isUnavailableError = (error: unknown): boolean =>
  error instanceof ConnectionLost || unavailable.test(getSqlState(error))

/**
 * Returns whether the transaction failed because of a conflict: a deadlock, a lock timeout, or a serialization failure.
 */
export const isContentionError = (error: unknown): boolean => /^(40001|40P01|55P03)$/.test(getSqlState(error))

/**
 * Matches the classes 08 (connection), 53 (out of memory, disk, or connections), 57 (shutdown, cancellation, or
 * statement timeout), and 58 (disk failure), plus the codes of the transaction timeouts.
 */
const unavailable = /^(08|53|57|58|25P0[34])/

/** Returns the SQLSTATE, or an empty string if Postgres did not raise the error. */
export const getSqlState = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""
