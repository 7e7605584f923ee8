import type { SettingType } from "./SettingType.ts"

/** The location of a database. A file path is relative to the working directory. */
export type DatabaseUrl = SqliteFile | PostgresUrl

export interface SqliteFile {
  readonly _tag: "Sqlite"
  readonly file: string
}

export interface PostgresUrl {
  readonly _tag: "Postgres"
  /** The URL for the driver, without Trailbook's own parameters. */
  readonly url: string
  readonly schema: string
  /** Off behind a pooler that does not support prepared statements. */
  readonly prepare: boolean
}

const forms = "sqlite:<file> or postgres://<host>/<database>"

/**
 * Accepts `sqlite:trailbook.sqlite`, `sqlite:./data/trailbook.sqlite`, and `sqlite:/var/lib/trailbook.sqlite`, also
 * with the two slashes that some tools write after the scheme.
 *
 * Accepts `postgres://…` with libpq parameters and two Trailbook parameters: `schema=<name>`, and `prepare=off` for a
 * pooler in transaction mode that does not support prepared statements.
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
  // An in-memory database would not outlive the command.
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
  if (prepare !== "on" && prepare !== "off") return { must: "must contain prepare=on or prepare=off" }
  return { value: { _tag: "Postgres", url: url.href, schema, prepare: prepare === "on" } }
}

export const isSchema = (name: string): boolean => /^[a-z_][a-z0-9_]{0,62}$/.test(name)

/** The error for an invalid schema name, without its subject. */
export const schemaMust = "must have a schema name of at most 63 lowercase letters, digits, and underscores"

/** Formats a database for messages, without its password. */
export const redactUrl = (database: DatabaseUrl): string => {
  if (database._tag === "Sqlite") return database.file
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname} (schema ${database.schema})`
}
