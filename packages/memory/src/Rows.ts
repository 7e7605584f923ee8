/** Creates the layers of the stores, and the common reads and writes of a table. */
import type { OrgKey } from "@trailbook/core/offering"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { Instant } from "@trailbook/core/time/Instant"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { findRows, insertRow, putRow, type Tables, toKey } from "./Tables.ts"

/** Creates a port's layer. `make` implements the port on the database. */
export const storeLayer = <Self, Port>(
  port: Context.Tag<Self, Port>,
  make: (database: MemoryDatabase["Type"]) => NoInfer<Port>
): Layer.Layer<Self, never, MemoryDatabase> => Layer.effect(port, Effect.map(MemoryDatabase, make))

/** Creates the layer of a port that stores the rows of one table. */
export const tableLayer = <Self, Port, Name extends keyof Tables>(
  port: Context.Tag<Self, Port>,
  name: Name,
  make: (rows: ReturnType<typeof makeRows<Name>>, database: MemoryDatabase["Type"]) => NoInfer<Port>
): Layer.Layer<Self, never, MemoryDatabase> => storeLayer(port, (database) => make(makeRows(database, name), database))

type RowOf<Name extends keyof Tables> = Tables[Name] extends Table.Table<infer Row, infer _, infer __> ? Row : never

type UniqueOf<Name extends keyof Tables> = keyof Tables[Name]["unique"] & string

type OrderedOf<Name extends keyof Tables> = keyof Tables[Name]["ordered"] & string

export const makeRows = <Name extends keyof Tables>(database: MemoryDatabase["Type"], name: Name) =>
  makeRowsOfType<RowOf<Name>, UniqueOf<Name>, OrderedOf<Name>>(database, name)

export type Rows<Row, Unique extends string, Ordered extends string> = ReturnType<
  typeof makeRowsOfType<Row, Unique, Ordered>
>

const makeRowsOfType = <Row, Unique extends string, Ordered extends string>(
  { read, unitOfWork, write }: MemoryDatabase["Type"],
  name: keyof Tables
) => {
  type RowTable = Table.Table<Row, Unique, Ordered>
  // The cast is safe, because `makeRows` derives the type parameters from the table's name.
  const select = (tables: Tables) => tables[name] as unknown as RowTable

  /** Changes the table. The change can also read the other tables. If it changes nothing, the tables stay the same. */
  const update = (change: (table: RowTable, tables: Tables) => RowTable): Effect.Effect<void> =>
    write((tables) => {
      const table = change(select(tables), tables)
      return table === select(tables) ? tables : { ...tables, [name]: table }
    })

  /** Inserts or replaces rows. Dies if a row references a missing row. */
  const put = (rows: ReadonlyArray<Row>): Effect.Effect<void> =>
    update((table, tables) => rows.reduce((result, row) => putRow(tables, result, row), table))

  return {
    select,
    update,
    put,
    putOne: (row: Row) => put([row]),
    /** Inserts a row. Dies if its key exists. */
    add: (row: Row) => update((table, tables) => insertRow(tables, table, row)),
    find: (key: OrgKey | string) => read((tables) => Table.find(select(tables), toKey(key))),
    /** Returns the rows with these keys, without duplicates. */
    findAll: (keys: ReadonlyArray<OrgKey>) => read((tables) => findRows(select(tables), keys)),
    /** Finds the row with this unique key. */
    findBy: (index: Unique, key: string) => read((tables) => Table.findBy(select(tables), index, key)),
    /** Returns the rows with these unique keys, without duplicates. */
    findAllBy: (index: Unique, keys: ReadonlyArray<string>) =>
      read((tables) => Table.getEachBy(select(tables), index, keys)),
    list: (index: Ordered, group: string, options?: Table.ListOptions<Row>) =>
      read((tables) => Table.list(select(tables), index, group, options)),
    /** Updates the row with this key, if it exists. */
    change: (key: OrgKey | string, edit: (row: Row) => Row) => update((table) => Table.change(table, toKey(key), edit)),
    /**
     * Updates the row with this key and returns the result. Returns none and changes nothing if the row does not exist
     * or `edit` returns undefined.
     */
    changeIf: (
      key: OrgKey | string,
      edit: (row: Row, now: Instant, tables: Tables) => Row | undefined
    ): Effect.Effect<Option.Option<Row>> =>
      unitOfWork.run(Effect.gen(function*() {
        const now = yield* currentTime
        const row = yield* read((tables) => {
          const current = Table.get(select(tables), toKey(key))
          return current && edit(current, now, tables)
        })
        if (row === undefined) return Option.none()
        yield* put([row])
        return Option.some(row)
      })),
    /** Updates the selected rows and returns the results. */
    changeAll: (
      find: (tables: Tables, now: Instant) => ReadonlyArray<Row>,
      edit: (row: Row, now: Instant) => Row
    ): Effect.Effect<ReadonlyArray<Row>> =>
      unitOfWork.run(Effect.gen(function*() {
        const now = yield* currentTime
        const rows = (yield* read((tables) => find(tables, now))).map((row) => edit(row, now))
        yield* put(rows)
        return rows
      })),
    /** Removes the row with this key, if it exists. */
    remove: (key: OrgKey | string) => update((table) => Table.remove(table, toKey(key))),
    removeMatching: (index: Ordered, group: string, isMatch: (row: Row) => boolean) =>
      update((table) => Table.removeMatching(table, index, group, isMatch)),
    /** Removes the selected rows and returns them. */
    take: (find: (tables: Tables) => ReadonlyArray<Row>): Effect.Effect<ReadonlyArray<Row>> =>
      unitOfWork.run(Effect.tap(read(find), (rows) => update((table) => Table.removeRows(table, rows))))
  }
}
