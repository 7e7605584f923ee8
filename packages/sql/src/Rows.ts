/** The common reads and writes of a table. Reads return decoded rows. */
import type { OrgKey } from "@trailbook/core/offering"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ColumnRecord, type ColumnRow, type Columns, toSelectList } from "./Columns.ts"
import { type Database, storeLayer } from "./Database.ts"
import type { SqlValue } from "./Dialect.ts"
import { forUpdateClause, getSingleValue, keyCondition, queryWithRecords, toOrgKeyRecord } from "./statements.ts"
import * as Table from "./Table.ts"

/** Creates the layer of a port that stores the rows of one table. */
export const layer = <Self, Port, C extends Columns, A>(
  port: Context.Tag<Self, Port>,
  table: Table.Table<C, A>,
  alias: string,
  implement: (rows: ReturnType<typeof make<C, A>>, database: Database["Type"]) => NoInfer<Port>
) => storeLayer(port, (database) => implement(make(database, table, alias), database))

/** Creates the common reads and writes of a table. `alias` is the table's alias in reads. */
export const make = <C extends Columns, A>(database: Database["Type"], table: Table.Table<C, A>, alias: string) => {
  const decode = (rows: ReadonlyArray<ColumnRow<C>>): ReadonlyArray<A> => rows.map(table.decode)
  const ofRecords = (
    text: string,
    records: ReadonlyArray<ColumnRecord<Columns>>,
    ...values: ReadonlyArray<SqlValue>
  ): Effect.Effect<ReadonlyArray<A>> =>
    Effect.map(queryWithRecords<ColumnRow<C>>(database, text, records, ...values), decode)

  const all = (text: string, values: ReadonlyArray<SqlValue> = []): Effect.Effect<ReadonlyArray<A>> =>
    Effect.map(database.query<ColumnRow<C>>(text, values), decode)
  const one = (text: string, values: ReadonlyArray<SqlValue>): Effect.Effect<Option.Option<A>> =>
    Effect.map(
      // Do not send a locking read as a lookup. Waiting for the lock would delay the other lookups.
      (text.endsWith(locked) ? database.query : database.lookup)<ColumnRow<C>>(text, values),
      ([row]) => Option.map(Option.fromNullable(row), table.decode)
    )
  const ofKey = (text: string) => ({ id, orgId }: OrgKey) => one(text, [orgId, id])
  /** Returns a function that finds a row by the values of these columns. */
  const by = (columns: ReadonlyArray<keyof C & string>, suffix = "") => {
    const text = `${select} where ${
      columns.map((column, at) => `${alias}.${column} = $${at + 1}`).join(" and ")
    }${suffix}`
    // Drop additional arguments, such as the index that `Effect.forEach` passes.
    return (...values: ReadonlyArray<SqlValue>) => one(text, values.slice(0, columns.length))
  }
  const ofKeys = (text: string) => (keys: ReadonlyArray<OrgKey>) => ofRecords(text, keys.map(toOrgKeyRecord))

  const name = database.dialect.table(table.name)
  const select = `select ${toSelectList(table.columns, alias)} from ${name} ${alias}`
  const locked = forUpdateClause(database.dialect, alias)
  const byKey = `${select} where ${alias}.org_id = $1 and ${alias}.id = $2`
  const byKeys = `${select} where ${keyCondition(database.dialect, alias)}`
  const put = Table.put(database, table)
  const ofOneOrMany = (textOfOne: string, textOfMany: string) => {
    const [readOne, readMany] = [ofKey(textOfOne), ofKeys(textOfMany)]
    return (keys: ReadonlyArray<OrgKey>): Effect.Effect<ReadonlyArray<A>> => {
      const key = getSingleValue(keys)
      return key === undefined ? readMany(keys) : Effect.map(readOne(key), Option.toArray)
    }
  }
  const ofOrg = `${select} where ${alias}.org_id = $1 order by ${alias}.created_at, ${alias}.id`
  return {
    /** The table's name in statements, with its schema if the database has schemas. */
    table: name,
    /** Selects all columns. A `where` clause can follow. */
    select,
    /** The clause at the end of a `select` that locks its rows. */
    locked,
    all,
    /** The columns for the `returning` clause of {@link execute}. */
    returned: Object.keys(table.columns).join(", "),
    /** Runs a write and returns its rows. */
    execute: (text: string, values: ReadonlyArray<SqlValue>): Effect.Effect<ReadonlyArray<A>> =>
      Effect.map(database.execute<ColumnRow<C>>(text, values), decode),
    /** Returns the first row. */
    one,
    /** Runs a query whose `$1` is an array of records. */
    ofRecords,
    ofKeys,
    by: (...columns: ReadonlyArray<keyof C & string>) => by(columns),
    lockBy: (...columns: ReadonlyArray<keyof C & string>) => by(columns, locked),
    /** Returns a function that removes a row by key. */
    remove: (write: Database["Type"]["write"]) => ({ id, orgId }: OrgKey) =>
      write(`delete from ${name} where org_id = $1 and id = $2`, [orgId, id]),
    find: ofKey(byKey),
    lock: ofKey(byKey + locked),
    findAll: ofOneOrMany(byKey, byKeys),
    /** Locks the rows in ID order, regardless of the keys' order. */
    lockAll: ofOneOrMany(byKey + locked, `${byKeys} order by ${alias}.id, ${alias}.org_id${locked}`),
    /** Returns an org's rows, oldest first. */
    ofOrg: (orgId: string) => all(ofOrg, [orgId]),
    /** Writes the columns that reads return. A table with additional columns has a separate write table. */
    put,
    putOne: Table.makeWriteOne(put),
    addOne: Table.makeWriteOne(Table.insert(database, table))
  }
}
