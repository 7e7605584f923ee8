import { migrate } from "@trailbook/postgres"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { createDatabase, type Database, type Schema } from "../../../test/postgres/database.ts"

/** Every table, and no row. */
export const schema: Schema = {
  name: "trailbook",
  fill: async (url) => {
    await Effect.runPromise(migrate({ url }))
  }
}

/** A database with our tables, or an empty one, until the scope closes. */
export const database = (of: "tables" | "empty" = "tables") =>
  Effect.acquireRelease(
    Effect.promise(() => createDatabase(of === "tables" ? schema : undefined)),
    (made) => Effect.promise(made.drop)
  )

const emptied: Array<Database> = []

/**
 * A database with our tables and no row, until the scope closes. It may have been used before: to empty one takes 5 ms, to
 * make and drop one 300. Not for tests that change its tables, its roles or its settings.
 */
export const emptyTables = Effect.acquireRelease(
  Effect.promise(async () => emptied.pop() ?? createDatabase(schema)),
  (database) =>
    Effect.promise(async () => {
      if (await empty(database.superuserUrl) > mostBytes) await database.drop()
      else emptied.push(database)
    })
)

/** Rows that were deleted lie there until a vacuum. Among many of them statements are planned as for no database in use. */
const mostBytes = 8 * 1024 * 1024

/** Answers with the bytes that the tables and their indexes take on disk. */
const empty = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // Whoever was cut off would still write. A connection of before may take a moment to end.
    await client.query(`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    `)
    const { rows } = await client.query<{ name: string; bytes: string }>(`
      select format('%I.%I', schemaname, tablename) as name,
        pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass) as bytes from pg_tables
      where schemaname = 'trailbook' and tablename <> 'migrations'
    `)
    // Neither triggers nor references are asked: all goes.
    const statements = ["set session_replication_role = replica", ...rows.map(({ name }) => `delete from ${name}`)]
    await client.query(statements.join("; "))
    return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  } finally {
    await client.end()
  }
}
