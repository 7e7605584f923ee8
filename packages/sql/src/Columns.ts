/**
 * Describes the columns of a table or of a list of records by name and storage type. Select lists, upserts, and records
 * are generated from this description.
 */
import type { Instant } from "@trailbook/core/time/Instant"

/** Instants are stored as epoch milliseconds. JSON is written as a value, but read as text. */
export type ColumnKind = "text" | "integer" | "real" | "boolean" | "instant" | "json"

/**
 * A question mark means that the column is nullable. JSON columns are never nullable. They store JSON null, because SQL
 * null and JSON null differ.
 */
export type Column = ColumnKind | `${Exclude<ColumnKind, "json">}?`

export type Columns = Readonly<Record<string, Column>>

interface RowTypes {
  text: string
  integer: number
  real: number
  /** SQLite returns 0 and 1. */
  boolean: boolean | 0 | 1
  instant: Instant
  json: string
}

interface EncodedTypes extends Omit<RowTypes, "boolean" | "json"> {
  boolean: boolean
  json: unknown
}

type ValueOf<Values extends Record<ColumnKind, unknown>, C extends Column> = C extends ColumnKind ? Values[C]
  : C extends `${infer K extends ColumnKind}?` ? Values[K] | null
  : never

/** A row that a `select` returns. */
export type ColumnRow<C extends Columns> = { readonly [Name in keyof C]: ValueOf<RowTypes, C[Name]> }

/** A record in a JSON parameter. */
export type ColumnRecord<C extends Columns> = { readonly [Name in keyof C]: ValueOf<EncodedTypes, C[Name]> }

/** Returns a select list such as `b.org_id, b.id, …`. */
export const toSelectList = (columns: Columns, alias: string): string =>
  Object.keys(columns).map((name) => `${alias}.${name}`).join(", ")
