/**
 * All differences between the databases. A store that needs a new one adds a field here and never checks which database
 * it uses.
 */
import type { Columns } from "./Columns.ts"

/** A value for `$1`, `$2`, and so on. */
export type Value = string | number | null

export interface Dialect {
  /** The table name in a statement, with its schema if the database has schemas. */
  readonly table: (name: string) => string

  /**
   * A table expression, without an alias, that turns the objects in a JSON array parameter into rows. Neither the text
   * nor the number of parameters depends on the number of rows, so each statement is prepared once.
   */
  readonly records: (parameter: `$${number}`, columns: Columns) => string

  /** The database clock's time in epoch milliseconds. It is constant within a statement. */
  readonly now: string

  /**
   * An aggregate that returns these columns for all rows as a single JSON text, an array of arrays. With thousands of
   * rows, parsing this text takes half as long as the driver takes to create an object per row.
   */
  readonly gathered: (...columns: ReadonlyArray<string>) => string

  /** Whether a subquery in `from` can be `lateral`, so that it can reference the tables to its left. */
  readonly lateral: boolean

  /** Whether statements run outside this process. If so, a long statement does not block other requests. */
  readonly apart: boolean

  /** Whether rows must be locked against changes. Locks are unnecessary if only one transaction runs at a time. */
  readonly locksRows: boolean

  /**
   * A statement that locks the names in the JSON array `$1`, in order, until the transaction ends. It is undefined if
   * only one transaction runs at a time.
   */
  readonly lockNames: string | undefined

  /** A text value in a JSON column, or null. */
  readonly jsonText: (column: string, ...path: ReadonlyArray<string>) => string

  /** A condition that a text contains a substring. Text is compared by bytes. */
  readonly holds: (text: string, part: string) => string

  /**
   * A table expression that splits a text into words, one per row, in a `value` column. The text is split at every
   * space, so a word can be empty.
   */
  readonly words: (text: string, alias: string) => string

  /**
   * Statements that change nothing, but fail if the database rejects writes or has no space left. They run in one
   * transaction.
   */
  readonly heartbeat: ReadonlyArray<string>

  /**
   * Returns whether a driver error means that the database is temporarily unavailable because it is busy, full, or
   * disconnected.
   */
  readonly isUnavailable: (error: unknown) => boolean

  /** Returns whether another transaction caused the failure, so that an immediate retry would succeed. */
  readonly isContended: (error: unknown) => boolean
}
