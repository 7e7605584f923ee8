/** A table that holds one sort of value, a row each. */
import type * as Effect from "effect/Effect"
import type { ColumnRecord, ColumnRow, Columns } from "./Columns.ts"
import type { Database } from "./Database.ts"

/**
 * Rows are read by hand-written functions, not by schemas: what the database
 * holds was decoded before it was stored, and its checks keep it so.
 */
export interface Table<C extends Columns, A> {
  readonly name: string
  readonly key: ReadonlyArray<keyof C & string>
  readonly columns: C
  readonly decode: (row: ColumnRow<C>) => A
  readonly encode: (value: A) => ColumnRecord<C>
}

export const make = <const C extends Columns, A>(table: Table<C, A>): Table<C, A> => table

/** Inserts each value, in one statement however many there are. */
export const insert = <C extends Columns, A>({ dialect, write }: Database["Type"], table: Table<C, A>) => {
  const text = insertText(dialect, table)
  return (values: ReadonlyArray<A>) => write(text, [JSON.stringify(values.map(table.encode))])
}

/** Inserts each value or replaces the one with its key. */
export const put = <C extends Columns, A>(
  { dialect, write }: Pick<Database["Type"], "dialect" | "write">,
  table: Table<C, A>
) => {
  const replaced = Object.keys(table.columns).filter((name) => !table.key.includes(name))
  const text = `${insertText(dialect, table)}
    on conflict (${table.key.join(", ")}) do update set ${
    replaced.map((name) => `${name} = excluded.${name}`).join(", ")
  }`
  return (values: ReadonlyArray<A>) => write(text, [JSON.stringify(values.map(table.encode))])
}

/** What writes many at once, for one. */
export const one = <A>(write: (values: ReadonlyArray<A>) => Effect.Effect<void>) => (value: A) => write([value])

// "where true" lets SQLite's parser tell the "on" of a conflict from that of a join.
const insertText = <C extends Columns, A>(
  { records, table }: Database["Type"]["dialect"],
  { columns, name }: Table<C, A>
): string => {
  const names = Object.keys(columns).join(", ")
  return `insert into ${table(name)} (${names}) select ${names} from ${records("$1", columns)} as given where true`
}
