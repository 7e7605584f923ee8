import * as Effect from "effect/Effect"
import { type ColumnRow, toSelectList } from "../Columns.ts"
import { Database } from "../Database.ts"
import { forUpdateClause } from "../statements.ts"
import { putCustomers } from "../store/SqlCustomerStore.ts"
import { customerTable } from "../table/conversationTables.ts"

/** The number of customers per transaction. A batch takes a few milliseconds plus the commit. */
const batch = 500

/**
 * Writes the search words of customers that an earlier version stored without them. Each batch is one transaction. Rows
 * without words mark the remaining work, so an interrupted run can be resumed. Once the backfill is complete, a run
 * costs one lookup in an empty index.
 */
export const backfillSearchWords: Effect.Effect<void, never, Database> = Effect.flatMap(Database, (database) => {
  const { dialect, execute, transaction } = database
  const put = putCustomers(database)
  const batchQuery = `select ${toSelectList(customerTable.columns, "c")} from ${dialect.table("customers")} c
    where c.words is null order by c.org_id, c.id limit ${batch}${forUpdateClause(dialect, "c")}`
  const writeBatch = transaction(Effect.gen(function*() {
    const rows = yield* execute<ColumnRow<typeof customerTable.columns>>(batchQuery)
    if (rows.length > 0) yield* put(rows.map(customerTable.decode))
    return rows.length
  }))
  return Effect.asVoid(Effect.repeat(writeBatch, { while: (count) => count > 0 }))
})
