import { migrate } from "@trailbook/postgres"
import * as Effect from "effect/Effect"
import { createDatabase, type Database, type Schema } from "../../../test/postgres/database.ts"

/** The schema with empty tables. */
export const schema: Schema = {
  name: "trailbook",
  fill: async (url) => {
    await Effect.runPromise(migrate({ url }))
  }
}

/** A database that was created while the previous test ran. */
let next: Promise<Database> | undefined
let isRepeated = false
let dropping: Promise<void> = Promise.resolve()

/** Returns a database. From a file's second test on, creates the next test's database in the background. */
const nextDatabase = (): Promise<Database> => {
  const database = next ?? createDatabase(schema)
  next = isRepeated ? database.then(() => createDatabase(schema)) : undefined
  // The test that uses the database reports the error.
  next?.catch(() => {})
  isRepeated = true
  return database
}

/** Drops the database while the next test runs. If it cannot be dropped, that test fails. */
const dropLater = async (database: Database): Promise<void> => {
  const previous = dropping
  dropping = database.drop()
  await previous
}

/**
 * Provides a new database with Trailbook's tables, or an empty database, until the scope closes. Tests do not share a
 * database, because deleted rows from earlier tests distort the planner statistics. That would slow down laws that
 * store hundreds of rows.
 */
export const database = (of: "tables" | "empty" = "tables") =>
  Effect.acquireRelease(
    Effect.promise(() => of === "tables" ? nextDatabase() : createDatabase()),
    (database) => Effect.promise(() => dropLater(database))
  )
