/**
 * Parts of statements that several stores share: filters, locks, and the records of a batched query, which it receives
 * as the JSON array `$1`.
 */
import type { OrgKey } from "@trailbook/core/offering"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import type { ColumnRecord, ColumnRow, Columns } from "./Columns.ts"
import type { Database } from "./Database.ts"
import type { Dialect, SqlValue } from "./Dialect.ts"

/**
 * Returns the only value, or undefined if there are none or several. Most calls pass a single key, for which a
 * statement without JSON is faster.
 */
export const getSingleValue = <A>(values: ReadonlyArray<A>): A | undefined =>
  values.length === 1 ? values[0] : undefined

/**
 * Runs a query whose `$1` is an array of records. If there are no records, returns no rows without running the query.
 */
export const queryWithRecords = <Row>(
  { query }: Database["Type"],
  text: string,
  records: ReadonlyArray<ColumnRecord<Columns>>,
  ...values: ReadonlyArray<SqlValue>
): Effect.Effect<ReadonlyArray<Row>> =>
  records.length === 0 ? Effect.succeed([]) : query<Row>(text, [JSON.stringify(records), ...values])

/**
 * Returns the clause at the end of a `select` that locks the rows of one table until the transaction ends. Rows are
 * locked in the order of the select. Select from one table only, because joined rows can be older than the lock.
 *
 * The lock is `no key update`, so it does not block inserts of rows that reference a locked row. The inserting
 * transactions can already hold locks that come later in the lock order. With a stronger lock, updating a class and
 * booking one of its sessions could deadlock. The weaker lock is safe, because these rows are never deleted and their
 * keys never change.
 */
export const forUpdateClause = ({ locksRows }: Dialect, alias: string): string =>
  locksRows ? ` for no key update of ${alias}` : ""

/** Like {@link forUpdateClause}, but skips rows that other transactions have locked. */
export const forUpdateSkipLockedClause = (dialect: Dialect, alias: string): string =>
  dialect.locksRows ? `${forUpdateClause(dialect, alias)} skip locked` : ""

export const keyColumns = { org_id: "text", id: "text" } as const

export const toOrgKeyRecord = ({ id, orgId }: OrgKey): ColumnRecord<typeof keyColumns> => ({ org_id: orgId, id })

/**
 * Returns a condition that is true if the row's key is among the records in `$1`. It compares the column `column` with
 * the records' field `key`.
 */
export const keyCondition = ({ records }: Dialect, alias: string, column = "id", key = "id"): string =>
  `(${alias}.org_id, ${alias}.${column}) in (
      select org_id, ${key} from ${records("$1", { org_id: "text", [key]: "text" })} as asked
    )`

/** Encodes a list of orgs as records with an `org_id`. */
export const toOrgRecords = (ids: ReadonlyArray<string>): string => JSON.stringify(ids.map((org_id) => ({ org_id })))

export const toOrgKey = ({ id, org_id }: ColumnRow<typeof keyColumns>): OrgKey => ({ orgId: org_id, id })

/** Runs a query and returns whether it found any rows. */
export const hasRows = (rows: Effect.Effect<ReadonlyArray<unknown>>): Effect.Effect<boolean> =>
  Effect.map(rows, ({ length }) => length > 0)

/**
 * Returns ` and column = $n` for each defined filter, together with the values. `first` is the first parameter number.
 * Each combination of filters has its own statement text, because no index can serve `$n is null or …`.
 */
export const makeFilterConditions = (
  conditions: Readonly<Record<string, SqlValue | undefined>>,
  first: number
): { readonly text: string; readonly values: ReadonlyArray<SqlValue> } => {
  const values: Array<SqlValue> = []
  let text = ""
  for (const [column, value] of Object.entries(conditions)) {
    if (value === undefined) continue
    text += ` and ${column} = $${first + values.length}`
    values.push(value)
  }
  return { text, values }
}

// The default bounds of a list. They are outside the range of instants, so a statement can always contain both bounds.

/** A position before every row. */
export const minPosition: Position = { at: -1, id: "" }

/** A position after every row. */
export const maxPosition: Position = { at: Number.MAX_SAFE_INTEGER, id: "" }
