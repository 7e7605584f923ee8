import type { SettingType } from "./SettingType.ts"

/**
 * Where the data is. A file is as it was given, relative to the working folder.
 *
 * @category models
 */
export type DatabaseUrl = SqliteFile | PostgresUrl

/**
 * @category models
 */
export interface SqliteFile {
  readonly _tag: "Sqlite"
  readonly file: string
}

/**
 * @category models
 */
export interface PostgresUrl {
  readonly _tag: "Postgres"
  /** As the driver takes it, without the parameters that are ours. */
  readonly url: string
  readonly schema: string
  /** Off behind a pooler that cannot follow prepared statements. */
  readonly prepare: boolean
}

const forms = "sqlite:<file> or postgres://<host>/<database>"

/**
 * `sqlite:trailbook.sqlite`, `sqlite:./data/trailbook.sqlite`,
 * `sqlite:/var/lib/trailbook.sqlite`, and with the two slashes that some tools
 * write after the scheme. `postgres://…` with the parameters of libpq, and two
 * of ours: `schema=<name>`, and `prepare=off` for a pooler in transaction mode
 * that knows no prepared statements.
 *
 * @category kinds
 */
export const databaseUrl: SettingType<DatabaseUrl> = {
  placeholder: "<url>",
  accepts: `${forms}, such as sqlite:trailbook.sqlite`,
  secret: true,
  read: (text) => {
    const value = /^postgres(ql)?:/i.test(text) ? postgres(text) : sqlite(text)
    return value === undefined ? { must: `must be ${forms}, such as sqlite:trailbook.sqlite` } : value
  }
}

type Reading = ReturnType<SettingType<DatabaseUrl>["read"]>

const sqlite = (text: string): Reading | undefined => {
  const file = /^sqlite:(?:\/\/)?(.+)$/i.exec(text)?.[1]
  // A database in memory would be gone with the command that made it.
  const isFile = file !== undefined && file !== ":memory:" && !file.endsWith("/") && !/[\0?#]/.test(file)
  return isFile ? { value: { _tag: "Sqlite", file } } : undefined
}

const postgres = (text: string): Reading | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.hostname === "" && !url.searchParams.has("host") || url.pathname.length < 2) return undefined
  const taken = (name: string): string | null => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return value
  }
  const schema = taken("schema") ?? "trailbook"
  const prepare = taken("prepare") ?? "on"
  if (!isSchema(schema)) return { must: schemaMust }
  if (prepare !== "on" && prepare !== "off") return { must: "must say prepare=on or prepare=off" }
  return { value: { _tag: "Postgres", url: url.href, schema, prepare: prepare === "on" } }
}

/**
 * @category predicates
 */
export const isSchema = (name: string): boolean => /^[a-z_][a-z0-9_]{0,62}$/.test(name)

/**
 * What a name that is none of a schema must be.
 *
 * @category constants
 */
export const schemaMust = "must name a schema of lowercase letters, digits and underscores, at most 63 of them"

/**
 * How messages call it, without a password.
 *
 * @category formatting
 */
export const redactUrl = (database: DatabaseUrl): string => {
  if (database._tag === "Sqlite") return database.file
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname} (schema ${database.schema})`
}
