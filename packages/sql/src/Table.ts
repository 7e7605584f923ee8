/** A table that stores values of one type. Each row stores one value. */
import type * as Effect from "effect/Effect"
import type { ColumnRecord, ColumnRow, Columns } from "./Columns.ts"
import type { Database } from "./Database.ts"

/**
 * A table definition. Rows are decoded by plain functions instead of schemas, because values are validated before each
 * write and table checks keep them valid.
 */
export interface Table<C extends Columns, A> {
  readonly name: string
  readonly key: ReadonlyArray<keyof C & string>
  readonly columns: C
  readonly decode: (row: ColumnRow<C>) => A
  readonly encode: (value: A) => ColumnRecord<C>
}

export const make = <const C extends Columns, A>(table: Table<C, A>): Table<C, A> => table

/** Inserts all values in one statement. */
export const insert = <C extends Columns, A>({ dialect, write }: Database["Type"], table: Table<C, A>) => {
  const text = insertText(dialect, table)
  return (values: ReadonlyArray<A>) => write(text, [JSON.stringify(values.map(table.encode))])
}

/** Inserts or replaces all values by key in one statement. A replaced row keeps its `keptColumns`. */
export const put = <C extends Columns, A>(
  { dialect, write }: Pick<Database["Type"], "dialect" | "write">,
  table: Table<C, A>,
  keptColumns: ReadonlyArray<keyof C & string> = []
) => {
  const names = Object.keys(table.columns).filter((name) => ![...table.key, ...keptColumns].includes(name))
  const text = `${insertText(dialect, table)}
    on conflict (${table.key.join(", ")}) do update set ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`
  return (values: ReadonlyArray<A>) => write(text, [JSON.stringify(values.map(table.encode))])
}

/** Turns a function that writes many values into a function that writes a single value. */
export const writeOne = <A>(write: (values: ReadonlyArray<A>) => Effect.Effect<void>) => (value: A) => write([value])

// Without "where true", SQLite would parse the "on" of "on conflict" as a join condition.
const insertText = <C extends Columns, A>(
  { records, table }: Database["Type"]["dialect"],
  { columns, name }: Table<C, A>
): string => {
  const names = Object.keys(columns).join(", ")
  return `insert into ${table(name)} (${names}) select ${names} from ${records("$1", columns)} as given where true`
}
