/**
 * How the rows of one table are read: what a `select` of them begins with, and what it
 * answers, as values.
 */
import type { Key } from "@trailbook/core/offering/OfferingStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Columns, list, type RecordOf, type RowOf } from "./Columns.ts"
import type { Database } from "./Database.ts"
import type { Value } from "./Dialect.ts"
import { keyRecord, queryFor } from "./records.ts"
import type { Table } from "./Table.ts"

/**
 * @category constructors
 */
export const make = <C extends Columns, A>(database: Database["Type"], table: Table<C, A>, alias: string) => {
  const decode = (rows: ReadonlyArray<RowOf<C>>): ReadonlyArray<A> => rows.map(table.decode)
  const ofRecords = (
    text: string,
    records: ReadonlyArray<RecordOf<Columns>>,
    ...values: ReadonlyArray<Value>
  ): Effect.Effect<ReadonlyArray<A>> => Effect.map(queryFor<RowOf<C>>(database, text, records, ...values), decode)

  const name = database.dialect.table(table.name)
  return {
    /** With the schema, where there is one. */
    table: name,
    /** All of its columns; a `where` may follow. */
    select: `select ${list(table.columns, alias)} from ${name} ${alias}`,
    all: (text: string, values: ReadonlyArray<Value> = []): Effect.Effect<ReadonlyArray<A>> =>
      Effect.map(database.query<RowOf<C>>(text, values), decode),
    /** The first. */
    one: (text: string, values: ReadonlyArray<Value>): Effect.Effect<Option.Option<A>> =>
      Effect.map(database.query<RowOf<C>>(text, values), ([row]) => Option.map(Option.fromNullable(row), table.decode)),
    /** Of a query whose `$1` are records. */
    ofRecords,
    ofKeys: (text: string) => (keys: ReadonlyArray<Key>) => ofRecords(text, keys.map(keyRecord))
  }
}
