import { existsSync } from "node:fs"
import { Failure } from "../command/CommandError.ts"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"

/**
 * Refuses a file that is not there. A mistyped path must not make an empty
 * database and then answer from it. A server says itself what it does not have.
 *
 * @throws Failure
 */
export const requireFile = (database: DatabaseUrl): DatabaseUrl => {
  if (database._tag === "Postgres" || existsSync(database.file)) return database
  throw new Failure(
    `The database ${database.file} does not exist. Check --database, or create it: trailbook migrate --database sqlite:${database.file}`
  )
}
