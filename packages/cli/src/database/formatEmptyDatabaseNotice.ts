import { type DatabaseUrl, redactUrl } from "@trailbook/runtime/setting/databaseUrl"
import { existsSync } from "node:fs"

/** Returns whether opening a database would create its file. */
export const isDatabaseFileMissing = (database: DatabaseUrl): boolean =>
  database._tag === "Sqlite" && !existsSync(database.file)

/**
 * Formats the notice for a database without an outfitter. A mistyped path also results in an empty database, so the
 * notice names the database.
 */
export const formatEmptyDatabaseNotice = (
  database: DatabaseUrl,
  { isNew, program }: { readonly isNew: boolean; readonly program: string }
): ReadonlyArray<string> => [
  isNew
    ? `${redactUrl(database)} did not exist, so it was created. Check --database if you expected existing data.`
    : `${redactUrl(database)} has no outfitters.`,
  "Create an outfitter (the server can keep running):",
  `  ${program} org create --database ${address(database)} --name "Your Outfitter" --timezone America/Denver`
]

/** Formats the database for a command line. A Postgres URL is not shown in full, because it contains a password. */
const address = (database: DatabaseUrl): string =>
  database._tag === "Sqlite"
    ? /^[\w./-]+$/.test(database.file)
      ? `sqlite:${database.file}`
      : `'sqlite:${database.file.replaceAll("'", "'\\''")}'`
    : "postgres://…"
