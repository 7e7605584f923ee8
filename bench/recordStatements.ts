/** Records the SQLite statements that a function runs in this process, so that its reads can be repeated. */
import BetterSqlite3 from "better-sqlite3"

type Statement = BetterSqlite3.Statement
type RowReader = (this: Statement, ...values: Array<unknown>) => Array<unknown>

/** Returns a function that repeats all recorded queries. Writes are not repeated. */
export const recordStatements = async (work: () => Promise<void>): Promise<() => void> => {
  const reads: Array<() => void> = []
  const driver = new BetterSqlite3(":memory:")
  const prototype: Statement = Object.getPrototypeOf(driver.prepare("select 1"))
  driver.close()
  const all: RowReader = Object.getOwnPropertyDescriptor(prototype, "all")?.value
  prototype.all = function(this: Statement, ...values) {
    if (this.readonly) reads.push(() => void all.apply(this, values))
    return all.apply(this, values)
  }
  try {
    await work()
  } finally {
    prototype.all = all
  }
  return () => {
    for (const repeat of reads) repeat()
  }
}
