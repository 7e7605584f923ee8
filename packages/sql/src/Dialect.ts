/**
 * All differences between the databases. A store that depends on a new difference adds a field here. Stores never check
 * which database they use.
 */
import type { Columns } from "./Columns.ts"

/** A value for `$1`, `$2`, and so on. */
export type SqlValue = string | number | null

export interface Dialect {
  /** The table name in a statement, with its schema if the database has schemas. */
  readonly table: (name: string) => string

  /**
   * Returns a table expression, without an alias, that turns the objects in a JSON array parameter into rows. Neither
   * the text nor the number of parameters depends on the number of rows, so each statement is prepared once.
   */
  readonly records: (parameter: `$${number}`, columns: Columns) => string

  /** The database clock's time in epoch milliseconds. It is constant within a statement. */
  readonly now: string

  /**
   * An aggregate that collects these columns of all rows into a single JSON text: an array of arrays. For thousands of
   * rows, parsing this text takes half as long as creating an object per row in the driver.
   */
  readonly gathered: (...columns: ReadonlyArray<string>) => string

  /** Whether the database supports `lateral`. A lateral subquery in `from` can reference the tables to its left. */
  readonly lateral: boolean

  /** Whether statements run outside this process. If so, a long statement does not block other requests. */
  readonly isOutOfProcess: boolean

  /** Whether rows must be locked against changes. Locks are unnecessary if only one transaction runs at a time. */
  readonly locksRows: boolean

  /**
   * A statement that locks the names in the JSON array `$1`, in order, until the transaction ends. Undefined if only
   * one transaction runs at a time.
   */
  readonly lockNames: string | undefined

  /** Returns an expression for a text value in a JSON column, or null if the path does not exist. */
  readonly jsonText: (column: string, ...path: ReadonlyArray<string>) => string

  /** Returns a condition that is true if a text contains a substring. Text is compared byte by byte. */
  readonly holds: (text: string, part: string) => string

  /**
   * Returns a table expression that splits a text into words. Each row has one word, in the column `value`. The text is
   * split at every space, so a word can be empty.
   */
  readonly words: (text: string, alias: string) => string

  /**
   * Statements that change nothing, but fail if the database rejects writes or has no space left. They all run in one
   * transaction.
   */
  readonly heartbeat: ReadonlyArray<string>

  /**
   * Returns whether a driver error means that the database is temporarily unavailable because it is busy, full, or
   * disconnected.
   */
  readonly isUnavailable: (error: unknown) => boolean

  /** Returns whether another transaction caused the failure, so that an immediate retry can succeed. */
  readonly isContended: (error: unknown) => boolean
}
