import * as Effect from "effect/Effect"
import { type ColumnRow, list } from "./Columns.ts"
import { Database } from "./Database.ts"
import { forUpdate } from "./jsonParameter.ts"
import { putCustomers } from "./store/putCustomers.ts"
import { customerTable } from "./table/customerTable.ts"

/** Some milliseconds of work, and a commit after it. */
const batch = 500

/**
 * Writes down the words of customers that were stored by a version that did not,
 * some hundred in a unit of work. A row says by itself that it was not read, so
 * whoever is cut off goes on where they were; where nothing is left to read this is
 * one look at an empty index.
 */
export const backfillSearchWords: Effect.Effect<void, never, Database> = Effect.flatMap(Database, (database) => {
  const { dialect, execute, transaction } = database
  const put = putCustomers(database)
  const unread = `select ${list(customerTable.columns, "c")} from ${dialect.table("customers")} c
    where c.words is null order by c.org_id, c.id limit ${batch}${forUpdate(dialect, "c")}`
  const some = transaction(Effect.gen(function*() {
    const rows = yield* execute<ColumnRow<typeof customerTable.columns>>(unread)
    if (rows.length > 0) yield* put(rows.map(customerTable.decode))
    return rows.length
  }))
  return Effect.asVoid(Effect.repeat(some, { while: (count) => count > 0 }))
})
