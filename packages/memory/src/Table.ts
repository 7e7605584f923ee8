/**
 * An immutable table. Rows are stored by key, with unique indexes, and with ordered indexes for range queries. A put
 * copies a path of logarithmic length, so the ten-thousandth booking costs about as much as the first. A put leaves
 * older values of the table unchanged for their readers.
 */
import type { Position } from "@trailbook/core/wire"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as RedBlackTree from "effect/RedBlackTree"

/** The keys of referenced rows, by table. */
export type References = {
  readonly [
    Name in "orgs" | "offerings" | "sessions" | "customers" | "bookings" | "conversations" | "grants"
  ]?: string | null
}

/**
 * The definition of a table. If a row's unique key or group is `undefined`, the index leaves the row out, like a
 * partial index in SQL.
 */
export interface TableDefinition<Row, Unique extends string = never, Ordered extends string = never> {
  /** The name of a row in error messages. */
  readonly rowName: string
  readonly key: (row: Row) => string
  /** The keys of the rows in other tables that a row references. Null means no reference. */
  readonly references?: (row: Row) => References
  readonly unique?: { readonly [Name in Unique]: (row: Row) => string | undefined }
  /** The ordered indexes. Positions must be unique within a group. */
  readonly ordered?: {
    readonly [Name in Ordered]: {
      readonly group: (row: Row) => string | undefined
      readonly position: (row: Row) => Position
    }
  }
}

type Index<Row> = HashMap.HashMap<string, RedBlackTree.RedBlackTree<string, Row>>

export interface Table<Row, Unique extends string = never, Ordered extends string = never> {
  readonly shape: TableDefinition<Row, Unique, Ordered>
  readonly rows: HashMap.HashMap<string, Row>
  readonly unique: { readonly [Name in Unique]: HashMap.HashMap<string, Row> }
  readonly ordered: { readonly [Name in Ordered]: Index<Row> }
}

/**
 * Creates an empty table. The function is curried, so that callers specify `Row` and TypeScript infers the index names.
 */
export const empty = <Row>() =>
<Unique extends string = never, Ordered extends string = never>(
  shape: TableDefinition<Row, Unique, Ordered>
): Table<Row, Unique, Ordered> => ({
  shape,
  rows: HashMap.empty(),
  unique: mapValues(shape.unique, () => HashMap.empty<string, Row>()),
  ordered: mapValues(shape.ordered, (): Index<Row> => HashMap.empty())
})

export const get = <Row>(table: Pick<Table<Row>, "rows">, key: string): Row | undefined =>
  Option.getOrUndefined(find(table, key))

export const find = <Row>({ rows }: Pick<Table<Row>, "rows">, key: string): Option.Option<Row> => HashMap.get(rows, key)

/** Returns the row with this unique key. */
export const getBy = <Row, Unique extends string>(
  table: Pick<Table<Row, Unique>, "unique">,
  name: Unique,
  key: string
): Row | undefined => Option.getOrUndefined(findBy(table, name, key))

export const findBy = <Row, Unique extends string>(
  { unique }: Pick<Table<Row, Unique>, "unique">,
  name: Unique,
  key: string
): Option.Option<Row> => HashMap.get(unique[name], key)

/** Returns the rows with these unique keys, without duplicates. */
export const getEachBy = <Row, Unique extends string>(
  table: Pick<Table<Row, Unique>, "unique">,
  name: Unique,
  keys: ReadonlyArray<string>
): ReadonlyArray<Row> => [...new Set(keys)].map((key) => getBy(table, name, key)).filter((row) => row !== undefined)

/** The bounds and the direction of a range query. */
export interface Bounds {
  readonly above?: Position | undefined
  readonly below?: Position | undefined
  readonly order?: "asc" | "desc"
}

/** The rows to list. Default: all rows of the group. */
export interface ListOptions<Row> extends Bounds {
  readonly limit?: number | undefined
  readonly where?: (row: Row) => boolean
}

/** Converts a time to a position before all rows at this time, because IDs are never empty. */
export const toPosition = (at: number): Position => ({ at, id: "" })

/** Returns the rows of a group in order. Both bounds are exclusive. */
export const range = function*<Row, Ordered extends string>(
  table: Pick<Table<Row, never, Ordered>, "ordered">,
  name: Ordered,
  group: string,
  bounds: Bounds = {}
): Generator<Row, void> {
  const tree = Option.getOrUndefined(HashMap.get(table.ordered[name], group))
  if (tree === undefined) return
  const above = bounds.above === undefined ? "" : sortKey(bounds.above)
  const below = bounds.below === undefined ? "~" : sortKey(bounds.below)
  const isDescending = bounds.order === "desc"
  const from = isDescending ? RedBlackTree.lessThanReversed(tree, below) : RedBlackTree.greaterThan(tree, above)
  for (const [key, row] of from) {
    if (isDescending ? key <= above : key >= below) return
    yield row
  }
}

/** Returns the rows of a group in order. Both bounds are exclusive. */
export const list = <Row, Ordered extends string>(
  table: Pick<Table<Row, never, Ordered>, "ordered">,
  name: Ordered,
  group: string,
  { limit = Infinity, where, ...bounds }: ListOptions<Row> = {}
): Array<Row> => takeFirst(range(table, name, group, bounds), limit, where)

/** Inserts or replaces a row by key. */
export const put = <Row, Unique extends string, Ordered extends string>(
  table: Table<Row, Unique, Ordered>,
  row: Row
): Table<Row, Unique, Ordered> => {
  const { shape } = table
  const remainder = remove(table, shape.key(row))
  return {
    shape,
    rows: HashMap.set(remainder.rows, shape.key(row), row),
    unique: mapValues(shape.unique, (keyOf, name) => {
      const index = remainder.unique[name]
      const key = keyOf(row)
      if (key === undefined) return index
      if (HashMap.has(index, key)) throw new ConstraintViolation(`Another ${shape.rowName} has the ${name} ${key}.`)
      return HashMap.set(index, key, row)
    }),
    ordered: mapValues(shape.ordered, ({ group, position }, name) => {
      const index = remainder.ordered[name]
      const key = group(row)
      if (key === undefined) return index
      const tree = Option.getOrElse(HashMap.get(index, key), () => RedBlackTree.empty<string, Row>(Order.string))
      return HashMap.set(index, key, RedBlackTree.insert(tree, sortKey(position(row)), row))
    })
  }
}

/** Removes the row with this key, if it exists. */
export const remove = <Row, Unique extends string, Ordered extends string>(
  table: Table<Row, Unique, Ordered>,
  key: string
): Table<Row, Unique, Ordered> => {
  const { shape } = table
  const row = get(table, key)
  if (row === undefined) return table
  return {
    shape,
    rows: HashMap.remove(table.rows, key),
    unique: mapValues(shape.unique, (keyOf, name) => {
      const key = keyOf(row)
      return key === undefined ? table.unique[name] : HashMap.remove(table.unique[name], key)
    }),
    ordered: mapValues(shape.ordered, ({ group, position }, name) => {
      const key = group(row)
      return key === undefined
        ? table.ordered[name]
        : HashMap.modify(table.ordered[name], key, RedBlackTree.removeFirst(sortKey(position(row))))
    })
  }
}

/** Updates the row with this key, if it exists. */
export const change = <Row, Unique extends string, Ordered extends string>(
  table: Table<Row, Unique, Ordered>,
  key: string,
  update: (row: Row) => Row
): Table<Row, Unique, Ordered> => {
  const row = get(table, key)
  return row === undefined ? table : put(table, update(row))
}

export const removeRows = <Row, Unique extends string, Ordered extends string>(
  table: Table<Row, Unique, Ordered>,
  rows: ReadonlyArray<Row>
): Table<Row, Unique, Ordered> => rows.reduce((result, row) => remove(result, table.shape.key(row)), table)

/** Removes a group's matching rows. */
export const removeMatching = <Row, Unique extends string, Ordered extends string>(
  table: Table<Row, Unique, Ordered>,
  name: Ordered,
  group: string,
  isMatch: (row: Row) => boolean
): Table<Row, Unique, Ordered> => removeRows(table, [...range(table, name, group)].filter(isMatch))

// Returns the sort key for a position. Keys are strings because the tree compares keys with `Equal`, which treats equal
// plain objects as different. As text, zero-padded numbers sort in numeric order.
const sortKey = ({ at, id }: Position): string => at < 0 ? "" : `${String(at).padStart(15, "0")} ${id}`

const mapValues = <Name extends string, A, B>(
  record: { readonly [Key in Name]: A } | undefined,
  change: (value: A, name: Name) => B
): { readonly [Key in Name]: B } => {
  const result = {} as { [Key in Name]: B }
  if (record === undefined) return result
  for (const name in record) result[name] = change(record[name], name)
  return result
}

/**
 * A duplicate unique key or a reference to a missing row. A database would reject the write. Core never makes such
 * writes, so this error is a defect.
 */
export class ConstraintViolation extends Error {
  override readonly name = "ConstraintViolation"
}

/** Returns the first `limit` matching rows, and stops iterating once it has found them. */
export const takeFirst = <Row>(
  rows: Iterable<Row>,
  limit: number,
  isWanted: (row: Row) => boolean = () => true
): Array<Row> => {
  const matches: Array<Row> = []
  for (const row of rows) {
    if (matches.length >= limit) break
    if (isWanted(row)) matches.push(row)
  }
  return matches
}
