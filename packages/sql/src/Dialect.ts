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
   * A table expression without an alias: the objects of the JSON array in a parameter, as rows. The text and the
   * parameter count do not depend on the number of rows, so a statement is prepared once.
   */
  readonly records: (parameter: `$${number}`, columns: Columns) => string

  /** The time of the database clock in epoch milliseconds. It is constant within a statement. */
  readonly now: string

  /**
   * An aggregate of these columns of all rows, as one JSON text of an array of arrays. A driver creates an object per
   * row, which for thousands of rows takes twice as long as parsing the text.
   */
  readonly gathered: (...columns: ReadonlyArray<string>) => string

  /** Whether a subquery in `from` can be `lateral`, so that it can reference the tables to its left. */
  readonly lateral: boolean

  /** Whether statements run outside this process, so that a long statement does not block other requests. */
  readonly apart: boolean

  /** Whether rows must be locked against changes. Not needed if one transaction runs at a time. */
  readonly locksRows: boolean

  /**
   * A statement that locks the names in the JSON array `$1`, in order, until the end of the transaction. Undefined if
   * one transaction runs at a time.
   */
  readonly lockNames: string | undefined

  /** A text in a JSON column, or null. */
  readonly jsonText: (column: string, ...path: ReadonlyArray<string>) => string

  /** A condition: the text contains the part, compared by bytes. */
  readonly holds: (text: string, part: string) => string

  /**
   * A table expression of the words of a text in a column `value`. Every section between two spaces is a word, even an
   * empty one.
   */
  readonly words: (text: string, alias: string) => string

  /**
   * Statements that change nothing, but fail if the database rejects writes or has no space left. They run in one
   * transaction.
   */
  readonly heartbeat: ReadonlyArray<string>

  /** Whether a driver error means that the database cannot work at the moment: busy, full, or disconnected. */
  readonly isUnavailable: (error: unknown) => boolean

  /** Whether the transaction failed because of another one and would succeed if retried now. */
  readonly isContended: (error: unknown) => boolean
}
