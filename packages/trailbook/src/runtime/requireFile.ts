import { existsSync } from "node:fs"
import { Failure } from "../command/CommandError.ts"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"

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
