import { Failure } from "@trailbook/runtime/Failure"
import type { DatabaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import { existsSync } from "node:fs"

/**
 * Rejects a SQLite file that does not exist, so that a command with a mistyped path does not create an empty database.
 *
 * @throws Failure
 */
export const requireFile = (database: DatabaseUrl): DatabaseUrl => {
  if (database._tag === "Postgres" || existsSync(database.file)) return database
  throw new Failure(
    `The database ${database.file} does not exist. Check --database, or create it: trailbook migrate --database sqlite:${database.file}`
  )
}
