import { existsSync } from "node:fs"
import { type DatabaseUrl, redactUrl } from "../setting/databaseUrl.ts"

/**
 * Whether opening a database makes its file.
 *
 * @category predicates
 */
export const isMissing = (database: DatabaseUrl): boolean => database._tag === "Sqlite" && !existsSync(database.file)

/**
 * What to know of a database without an outfitter, in lines: a mistyped path looks
 * the same as a first start.
 *
 * @category rendering
 */
export const emptyDatabase = (
  database: DatabaseUrl,
  { isNew, program }: { readonly isNew: boolean; readonly program: string }
): ReadonlyArray<string> => [
  isNew
    ? `${
      redactUrl(database)
    } is new: there was no such file, so it was made, and it is empty. Check --database if you expected another.`
    : `${redactUrl(database)} has no outfitter yet.`,
  "Make an outfitter, also while this runs:",
  `  ${program} org create --database ${address(database)} --name "Your Outfitter" --timezone America/Denver`
]

/** As it is typed. That of a Postgres holds a password, and is in a variable as a rule. */
const address = (database: DatabaseUrl): string =>
  database._tag === "Sqlite"
    ? /^[\w./-]+$/.test(database.file)
      ? `sqlite:${database.file}`
      : `'sqlite:${database.file.replaceAll("'", "'\\''")}'`
    : "postgres://…"
