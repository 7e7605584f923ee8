import type { PostgresPool } from "@trailbook/postgres"
import type { Level } from "@trailbook/runtime/JsonLog"
import { makeClock } from "@trailbook/runtime/makeClock"
import { type DatabaseUrl, databaseUrl, isSchemaName, schemaNameError } from "@trailbook/runtime/setting/databaseUrl"
import * as Mail from "@trailbook/runtime/setting/mail"
import * as Kind from "@trailbook/runtime/setting/SettingType"
import { type Keys, parse } from "@trailbook/webhook/KeyRing"
import type * as Clock from "effect/Clock"
import * as Either from "effect/Either"
import process from "node:process"
import type { BeforeHooks } from "../hook/BeforeHooks.ts"
import { checkOptions } from "./checkOptions.ts"
import type { HttpOptions, TrailbookOptions } from "./TrailbookOptions.ts"

/** The parsed options. */
export interface ParsedOptions extends
  Pick<
    TrailbookOptions,
    "drafter" | "files" | "mailer" | "notifier" | "org" | "payments" | "publicUrl" | "replies" | "weather"
  >
{
  readonly before: BeforeHooks
  readonly clock: Clock.Clock
  readonly database: DatabaseUrl | PostgresPool
  readonly http: HttpOptions & { readonly basePath: string }
  /** The base URLs for links to the guest pages and to the dashboard. */
  readonly links: { readonly guests: string | undefined; readonly staff: string | undefined }
  readonly log: (line: string) => void
  readonly logLevel: Level
  readonly migrations: "automatic" | "manual"
  readonly webhooks: { readonly keys: Keys; readonly allow: ReadonlyArray<string> } | undefined
}

/** Parses the options. Throws a `TypeError` whose message starts with the name of the invalid option. */
export const parseOptions = (options: TrailbookOptions): ParsedOptions => {
  checkOptions(options)
  const publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl)
  if (options.mailer !== undefined && options.mailer !== "none" && publicUrl === undefined) {
    throw new TypeError("publicUrl: is required with a mailer, because links in emails start with it")
  }
  const basePath = parseBasePath(options.http?.basePath)
  const { surfaces = [] } = options.http ?? {}
  // Accept a public URL with or without the base path.
  const root = publicUrl !== undefined && new URL(publicUrl).pathname.endsWith(basePath)
    ? publicUrl.slice(0, publicUrl.length - basePath.length)
    : publicUrl
  // Returns a page's base URL. Pages that the handler serves are under its base path. The host application's pages are
  // at its public URL.
  const findPagesUrl = (surface: "pages" | "dashboard") =>
    root !== undefined && surfaces.includes(surface) ? root + basePath : publicUrl
  return {
    ...options,
    before: options.before ?? {},
    publicUrl: root,
    links: { guests: findPagesUrl("pages"), staff: findPagesUrl("dashboard") },
    replies: options.replies === undefined ? undefined : {
      domain: readOption("replies.domain", Mail.domain, options.replies.domain),
      secret: readOption("replies.secret", Mail.pathSecret, options.replies.secret)
    },
    clock: makeClock(options.clock),
    database: parseDatabase(options.database),
    http: { ...options.http, basePath },
    log: options.log ?? ((line) => void process.stderr.write(`${line}\n`)),
    logLevel: options.logLevel ?? "warn",
    migrations: options.migrations ?? "automatic",
    webhooks: options.webhooks === undefined
      ? undefined
      : { keys: parseWebhookKeys(options.webhooks.keys), allow: options.webhooks.allow ?? [] }
  }
}

const readOption = <A>(name: string, settingType: Kind.SettingType<A>, text: string): A => {
  const result = settingType.read(text)
  if ("value" in result) return result.value
  throw new TypeError(`${name}: ${result.must}`)
}

/** Parses the public URL. */
export const parsePublicUrl = (text: string): string => readOption("publicUrl", Kind.siteUrl, text)

const parseBasePath = (text = ""): string => {
  const path = text.replace(/(?<!\/)\/+$/, "")
  if (path === "" || /^\/[^?#]+$/.test(path)) return path
  throw new TypeError("http.basePath: must start with a slash, such as /booking")
}

/** Parses the webhook keys. */
export const parseWebhookKeys = (text: string): Keys => {
  const keys = parse(text)
  if (Either.isRight(keys)) return keys.right
  throw new TypeError(`webhooks.keys: ${keys.left}`)
}

/** Parses the `database` option. Throws a `TypeError` if the option is invalid. */
export const parseDatabase = (database: TrailbookOptions["database"]): DatabaseUrl | PostgresPool => {
  if (typeof database === "string") {
    if (database === inMemory || database === `sqlite:${inMemory}`) return { _tag: "Sqlite", file: inMemory }
    const result = databaseUrl.read(database)
    if ("value" in result) return result.value
    throw new TypeError(`database: ${result.must}, ${inMemory}, or postgres({ pool })`)
  }
  if (typeof database !== "object" || database === null) {
    throw new TypeError(
      `database: must be a URL such as sqlite:bookings.sqlite, ${inMemory}, or postgres({ pool })`
    )
  }
  const { pool, prepare, schema } = database
  if (schema !== undefined && !isSchemaName(schema)) throw new TypeError(`database: ${schemaNameError}`)
  if (typeof pool?.connect !== "function") throw new TypeError("database: pool must be a pg Pool")
  return {
    // The host application may lack the type declarations of `pg`, so the public type requires only the members that
    // identify a pool.
    pool: pool as PostgresPool["pool"],
    ...(schema === undefined ? {} : { schema }),
    ...(prepare === undefined ? {} : { prepare })
  }
}

const inMemory = ":memory:"

/** Returns whether the database is in memory. Such a database has no tables until it is opened. */
export const isInMemory = (database: DatabaseUrl | PostgresPool): boolean =>
  "file" in database && database.file === inMemory

export const isPostgres = (database: DatabaseUrl | PostgresPool): boolean =>
  "pool" in database || database._tag === "Postgres"
