/**
 * Everything on which databases disagree, in one place. A store that needs a new
 * difference adds a field here; it never asks which database it is.
 */
import type { Columns } from "./Columns.ts"

/** What a statement takes for `$1`, `$2` and so on. */
export type Value = string | number | null

export interface Dialect {
  /** How a statement names a table: with its schema, where a database has those. */
  readonly table: (name: string) => string

  /**
   * A table expression, still without a name: the objects of the JSON array in
   * a parameter, as rows. However many rows travel, it is one text and one
   * parameter, so a statement is prepared once.
   */
  readonly records: (parameter: `$${number}`, columns: Columns) => string

  /** An expression: the moment by the database's own clock, in epoch milliseconds, the same throughout a statement. */
  readonly now: string

  /**
   * An aggregate: these columns of all rows, as one JSON text of an array of
   * arrays. A driver makes an object of every row, which for thousands of them
   * takes twice as long as reading such a text.
   */
  readonly gathered: (...columns: ReadonlyArray<string>) => string

  /** Whether a subquery in `from` may be `lateral`, that is look at what stands left of it. */
  readonly lateral: boolean

  /** Whether statements run outside of this process: then one that takes long keeps nobody waiting but who asked. */
  readonly apart: boolean

  /** Whether a row has to be locked to keep it from changing. Where one unit of work runs at a time, it does not. */
  readonly locksRows: boolean

  /**
   * A statement that locks the names in the JSON array in `$1` one after the other until the end of the transaction;
   * undefined if one unit of work runs at a time.
   */
  readonly lockNames: string | undefined

  /** A condition: the text holds the part, byte for byte. */
  readonly holds: (text: string, part: string) => string

  /** A table expression of the words of a text, in a column `value`; what stands between two spaces is one, also when it is nothing. */
  readonly words: (text: string, alias: string) => string

  /** Whether an error of the driver says that the database cannot work now, whatever it is asked: busy, full, gone. */
  readonly isUnavailable: (error: unknown) => boolean

  /** Whether the transaction lost to another one, and would succeed if it were run again now. */
  readonly isContended: (error: unknown) => boolean
}
