/**
 * What a table or a list of records is made of: names, and how a value of each
 * is stored. Select lists, upserts and records are all written from it.
 */
import type { Instant } from "@trailbook/core/time/Instant"

/**
 * Instants are whole epoch milliseconds; JSON is written as a value and read as
 * text.
 */
export type Kind = "text" | "integer" | "real" | "boolean" | "instant" | "json"

/**
 * With a question mark a column may be null. JSON never is: SQL's null and
 * JSON's are not the same, and no table needs both.
 */
export type Column = Kind | `${Exclude<Kind, "json">}?`

export type Columns = Readonly<Record<string, Column>>

interface Read {
  text: string
  integer: number
  real: number
  /** SQLite knows 0 and 1 only. */
  boolean: boolean | 0 | 1
  instant: Instant
  json: string
}

interface Written extends Omit<Read, "boolean" | "json"> {
  boolean: boolean
  json: unknown
}

type ValueOf<Values extends Record<Kind, unknown>, C extends Column> = C extends Kind ? Values[C]
  : C extends `${infer K extends Kind}?` ? Values[K] | null
  : never

/** A row as a `select` gives it. */
export type ColumnRow<C extends Columns> = { readonly [Name in keyof C]: ValueOf<Read, C[Name]> }

/** A record as it travels to the database, in JSON. */
export type ColumnRecord<C extends Columns> = { readonly [Name in keyof C]: ValueOf<Written, C[Name]> }

/** `b.org_id, b.id, …` for a select list. */
export const list = (columns: Columns, alias: string): string =>
  Object.keys(columns).map((name) => `${alias}.${name}`).join(", ")
