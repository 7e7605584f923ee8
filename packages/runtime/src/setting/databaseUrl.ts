import { formatHosts, replaceHosts, splitHostUrls } from "@trailbook/postgres/splitHostUrls"
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
  /** Whether to use prepared statements. False behind a pooler that does not support them. */
  readonly prepare: boolean
}

const acceptedForms = "sqlite:<file> or postgres://<host>/<database>"

/**
 * Accepts `sqlite:trailbook.sqlite`, `sqlite:./data/trailbook.sqlite`, and `sqlite:/var/lib/trailbook.sqlite`. Also
 * accepts the two slashes that some tools write after the scheme.
 *
 * Accepts `postgres://…` with libpq parameters and two Trailbook parameters: `schema=<name>`, and `prepare=off` for a
 * pooler in transaction mode that does not support prepared statements. The URL can list several hosts, one of which
 * accepts writes.
 */
export const databaseUrl: SettingType<DatabaseUrl> = {
  placeholder: "<url>",
  accepts: `${acceptedForms}, such as sqlite:trailbook.sqlite`,
  secret: true,
  read: (text) => {
    const value = /^postgres(ql)?:/i.test(text) ? parsePostgres(text) : parseSqlite(text)
    return value === undefined ? { must: `must be ${acceptedForms}, such as sqlite:trailbook.sqlite` } : value
  }
}

/** Accepts the Postgres URL of a single server. */
export const postgresUrl: SettingType<PostgresUrl> = {
  placeholder: "<url>",
  accepts: "postgres://<host>/<database>",
  secret: true,
  read: (text) => {
    const result = /^postgres(ql)?:/i.test(text) && splitHostUrls(text).length === 1 ? parsePostgres(text) : undefined
    return result !== undefined && "value" in result && result.value._tag === "Postgres"
      ? { value: result.value }
      : { must: "must be postgres://<host>/<database> with a single host" }
  }
}

type ParsedUrl = ReturnType<SettingType<DatabaseUrl>["read"]>

const parseSqlite = (text: string): ParsedUrl | undefined => {
  const file = /^sqlite:(?:\/\/)?(.+)$/i.exec(text)?.[1]
  // Refuse an in-memory database, because it would not outlive the command.
  const isFile = file !== undefined && file !== ":memory:" && !file.endsWith("/") && !/[\0?#]/.test(file)
  return isFile ? { value: { _tag: "Sqlite", file } } : undefined
}

const parsePostgres = (text: string): ParsedUrl | undefined => {
  const texts = splitHostUrls(text)
  if (!texts.every((text) => URL.canParse(text))) return undefined
  const urls = texts.map((text) => new URL(text))
  const [url] = urls
  if (url === undefined || url.pathname.length < 2) return undefined
  if (urls.some(({ hostname, searchParams }) => hostname === "" && !searchParams.has("host"))) return undefined
  const takeParameter = (name: string): string | null => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return value
  }
  const schema = takeParameter("schema") ?? "trailbook"
  const prepare = takeParameter("prepare") ?? "on"
  if (!isSchemaName(schema)) return { must: schemaNameError }
  if (prepare !== "on" && prepare !== "off") return { must: "must contain prepare=on or prepare=off, or omit prepare" }
  if (urls.length > 1 && !/^(read-write|primary)?$/.test(url.searchParams.get("target_session_attrs") ?? "")) {
    return { must: "must contain target_session_attrs=read-write if it lists several hosts" }
  }
  const hosts = urls.map(({ host }) => host)
  return { value: { _tag: "Postgres", url: replaceHosts(url.href, hosts), schema, prepare: prepare === "on" } }
}

export const isSchemaName = (name: string): boolean => /^[a-z_][a-z0-9_]{0,62}$/.test(name)

/** The error for an invalid schema name, without its subject. */
export const schemaNameError = "must have a schema name of at most 63 lowercase letters, digits, and underscores"

/** Formats a database for messages, without its password. */
export const redactUrl = (database: DatabaseUrl): string => {
  if (database._tag === "Sqlite") return database.file
  return `postgres://${formatHosts(database.url)} (schema ${database.schema})`
}
