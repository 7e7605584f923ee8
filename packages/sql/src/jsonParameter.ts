/** Questions about many things at once: they travel as the JSON array in `$1`. */
import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import * as Effect from "effect/Effect"
import type { ColumnRecord, ColumnRow, Columns } from "./Columns.ts"
import type { Database } from "./Database.ts"
import type { Dialect, Value } from "./Dialect.ts"

/**
 * Runs a query whose `$1` are records; without any it has no answer and is not
 * asked.
 */
export const queryWithRecords = <Row>(
  { query }: Database["Type"],
  text: string,
  records: ReadonlyArray<ColumnRecord<Columns>>,
  ...values: ReadonlyArray<Value>
): Effect.Effect<ReadonlyArray<Row>> =>
  records.length === 0 ? Effect.succeed([]) : query<Row>(text, [JSON.stringify(records), ...values])

/**
 * Ends a `select`: keeps the rows of one of its tables from changing until the
 * unit of work ends. They are locked in the order of the select. Joined rows may
 * be older than the lock that was waited for, so it goes with a select of one table.
 *
 * It leaves their keys to others, for a row that refers to a locked one waits
 * otherwise, and its unit of work holds locks that come later in the order:
 * a class that is changed and one of its sessions that is sold would wait for
 * each other. No row is deleted, and no key changes.
 */
export const forUpdate = ({ locksRows }: Dialect, alias: string): string =>
  locksRows ? ` for no key update of ${alias}` : ""

/** The same, but rows that somebody else has locked are passed over. */
export const forUpdateSkipLocked = (dialect: Dialect, alias: string): string =>
  dialect.locksRows ? `${forUpdate(dialect, alias)} skip locked` : ""

export const keyColumns = { org_id: "text", id: "text" } as const

export const keyRecord = ({ id, orgId }: OrgKey): ColumnRecord<typeof keyColumns> => ({ org_id: orgId, id })

/** A condition: the row's key is among those in `$1`, or a column is among what is called `asked` there. */
export const among = ({ records }: Dialect, alias: string, column = "id", asked = "id"): string =>
  `(${alias}.org_id, ${alias}.${column}) in (
      select org_id, ${asked} from ${records("$1", { org_id: "text", [asked]: "text" })} as asked
    )`

export const toOrgKey = ({ id, org_id }: ColumnRow<typeof keyColumns>): OrgKey => ({ orgId: org_id, id })

/** Whether there was any row. */
export const isAny = (rows: Effect.Effect<ReadonlyArray<unknown>>): Effect.Effect<boolean> =>
  Effect.map(rows, ({ length }) => length > 0)
