/**
 * Backs up and restores a schema with `pg_dump` and `pg_restore`, while servers use the database.
 *
 * Row-level security also applies to the owner of the tables, so by default `pg_dump` refuses to run or omits rows. To
 * prevent this, the tools run with the setting that makes all orgs visible. A pooler can drop that setting, so the
 * backup's row counts are compared with the database's.
 */
import {
  CopyFailed,
  type CopySummary,
  countedTables,
  failIfBackupExists,
  linkTemporaryFile,
  listPendingMigrations,
  makeTemporaryPath,
  publishTemporaryFile,
  toCopyFailed
} from "@trailbook/sql/backup"
import { emptySchemaVersion, type SchemaVersion, schemaVersionQuery } from "@trailbook/sql/schema/migrate"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { statSync, writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { Client, type QueryResultRow } from "pg"
import type { CannotConnect } from "./CannotConnect.ts"
import { getSchemaName, makeDialect } from "./dialect.ts"
import { findUnsupportedReason } from "./inspectServer.ts"
import { makeMigrations } from "./migrations.ts"
import { inspect, type PostgresUrl, toCannotConnect } from "./PostgresDatabase.ts"
import { encodeOrgIds, getRowSecuritySetting } from "./rowSecurity.ts"
import { splitHostUrls } from "./splitHostUrls.ts"

/** The environment variables that the tools run with. `PATH` must include their directory. */
export type ToolEnvironment = Readonly<Record<string, string | undefined>>

/**
 * Writes a backup into a new file and verifies it. The backup is a single snapshot of the database. Never overwrites an
 * existing file.
 */
export const backup = (
  hosts: PostgresUrl,
  to: string,
  env: ToolEnvironment
): Effect.Effect<CopySummary, CannotConnect | CopyFailed> =>
  Effect.scoped(Effect.gen(function*() {
    yield* failIfBackupExists(to)
    const config = yield* findPrimary(hosts)
    const schema = getSchemaName(config)
    const query = yield* connect(config)
    yield* query("begin isolation level repeatable read read only")
    const [server = { version: 0, snapshot: "", found: false }] = yield* query<Server>(
      `select current_setting('server_version_num')::integer / 10000 as version, pg_export_snapshot() as snapshot,
        to_regclass('${makeDialect(schema).table("migrations")}') is not null as found`
    )
    if (!server.found) {
      return yield* new CopyFailed({ reason: "foreign", message: `The database has no Trailbook schema ${schema}.` })
    }
    yield* checkVersion(server.version, env)
    const summary = yield* summarize(query, schema)
    const [version = emptySchemaVersion] = yield* query<SchemaVersion>(
      schemaVersionQuery(makeDialect(schema).table("migrations"))
    )
    const pending = yield* listPendingMigrations("The database", makeMigrations(schema), version)
    const temporaryPath = yield* makeTemporaryPath(to)
    yield* Effect.try({ try: () => writeFileSync(temporaryPath, "", { mode: 0o600 }), catch: toCopyFailed })
    yield* run("pg_dump", {
      args: [
        "--format=custom",
        "--enable-row-security",
        `--schema=${schema}`,
        `--snapshot=${server.snapshot}`,
        `--file=${temporaryPath}`
      ],
      config,
      env,
      fix: accessFix
    })
    yield* checkRows(summary, yield* readArchive(temporaryPath, schema, env))
    yield* publishTemporaryFile(temporaryPath, to, () => linkTemporaryFile(temporaryPath, to))
    return { ...summary, pending, bytes: statSync(to).size }
  }))

/** Restores a backup in one transaction. The schema must not exist in the database. */
export const restore = (
  from: string,
  hosts: PostgresUrl,
  env: ToolEnvironment
): Effect.Effect<CopySummary, CannotConnect | CopyFailed> =>
  Effect.scoped(Effect.gen(function*() {
    const config = yield* findPrimary(hosts)
    const schema = getSchemaName(config)
    const archive = yield* readArchive(from, schema, env)
    const pending = yield* listPendingMigrations(from, makeMigrations(schema), archive.version)
    const query = yield* connect(config)
    const existing = yield* query(`select from pg_namespace where nspname = '${schema}'`)
    if (existing.length > 0) {
      return yield* new CopyFailed({
        reason: "exists",
        message: `The database already has a schema ${schema}. It was not overwritten.`,
        fix: "Create an empty database with createdb, and restore the backup into it."
      })
    }
    yield* run("pg_restore", {
      // The backup's roles need not exist on this server.
      args: ["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges", from],
      config,
      env,
      fix: accessFix
    })
    const summary = yield* summarize(query, schema)
    yield* checkRows(summary, archive)
    return { ...summary, pending, bytes: statSync(from).size }
  }))

interface Server {
  readonly version: number
  readonly snapshot: string
  readonly found: boolean
}

type Query = <Row extends QueryResultRow>(text: string) => Effect.Effect<ReadonlyArray<Row>, CopyFailed>

/**
 * Returns the settings for the server that accepts writes. All connections must use the same server, because they share
 * a snapshot.
 */
const findPrimary = (config: PostgresUrl): Effect.Effect<PostgresUrl, CannotConnect> => {
  const servers = splitHostUrls(config.url).map((url) => ({ ...config, url }))
  if (servers.length === 1) return Effect.succeed(config)
  return Effect.firstSuccessOf(servers.map((server) =>
    Effect.flatMap(inspect(server), (inspection) => {
      const reason = findUnsupportedReason(inspection)
      return reason === undefined ? Effect.succeed(server) : Effect.fail(toCannotConnect(server)(reason))
    })
  ))
}

/** Connects with all orgs visible and with the role's timeouts disabled. */
const connect = (config: PostgresUrl): Effect.Effect<Query, CannotConnect, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.tryPromise({
        try: async () => {
          const client = new Client({ connectionString: toConnectionUrl(config).href, connectionTimeoutMillis: 5000 })
          // A lost connection emits an error, and the next query on it fails. Without a listener, the error would crash
          // the process.
          client.on("error", () => {})
          await client.connect()
          return client
        },
        catch: toCannotConnect(config)
      }),
      (client) => Effect.promise(() => client.end())
    ),
    (client) => <Row extends QueryResultRow>(text: string) =>
      Effect.tryPromise({ try: async () => (await client.query<Row>(text)).rows, catch: toCopyFailed })
  )

const toConnectionUrl = (config: PostgresUrl): URL => {
  const url = new URL(config.url)
  const options = [
    url.searchParams.get("options") ?? "",
    `-c ${getRowSecuritySetting(getSchemaName(config))}=${encodeOrgIds(undefined)}`,
    "-c statement_timeout=0",
    "-c idle_in_transaction_session_timeout=0"
  ]
  url.searchParams.set("options", options.join(" ").trim())
  // Unlike `URLSearchParams`, the tools do not decode a plus sign as a space.
  url.search = url.search.replaceAll("+", "%20")
  return url
}

const summarize = (query: Query, schema: string) =>
  Effect.gen(function*() {
    const { table } = makeDialect(schema)
    // The driver returns a double as a number. A double represents every possible count exactly.
    const counts = countedTables.map((name) => `(select count(*) from ${table(name)})::float8 as ${name}`)
    const [rows] = yield* query<CopySummary["rows"]>(`select ${counts.join(", ")}`)
    if (rows === undefined) return yield* Effect.dieMessage("Invariant violated: aggregate query without a row")
    const newest = yield* query<{ readonly slug: string; readonly id: number }>(
      `select o.slug, coalesce(max(e.id), 0)::float8 as id
        from ${table("orgs")} o left join ${table("events")} e on e.org_id = o.id group by o.slug order by o.slug`
    )
    return { rows, newestEvents: Object.fromEntries(newest.map(({ id, slug }) => [slug, id])) }
  })

interface Archive {
  /** The number of rows per table. */
  readonly rows: ReadonlyMap<string, number>
  readonly version: SchemaVersion
}

/** Reads a complete backup and counts its rows. */
const readArchive = (from: string, schema: string, env: ToolEnvironment): Effect.Effect<Archive, CopyFailed> => {
  const rows = new Map<string, number>()
  let table: string | undefined
  let version = emptySchemaVersion
  const onLine = (line: string) => {
    if (table === undefined) {
      const [, tableSchema, name] = /^COPY "?(\w+)"?\.(\w+) /.exec(line) ?? []
      if (tableSchema === schema && name !== undefined) rows.set(table = name, 0)
    } else if (line === "\\.") {
      table = undefined
    } else {
      rows.set(table, (rows.get(table) ?? 0) + 1)
      if (table === "migrations") version = maxVersion(version, line)
    }
  }
  return Effect.flatMap(
    run("pg_restore", {
      args: ["--data-only", "--file=-", from],
      env,
      onLine,
      fix: "If a newer pg_dump wrote the file, install that version of pg_restore. Otherwise, use another backup."
    }),
    () =>
      version.last > 0 ? Effect.succeed({ rows, version }) : new CopyFailed({
        reason: "foreign",
        message: `${from} does not contain a backup of the Trailbook schema ${schema}.`,
        fix: "Check the path. If the backup contains another schema, name it in the URL: ?schema=<name>."
      })
  )
}

/**
 * Updates the schema version with a row of the migrations table. Before version 35, the table lacked the last column.
 * `\N` means null.
 */
const maxVersion = ({ last, oldestServer }: SchemaVersion, row: string): SchemaVersion => {
  const [number, , oldest = "\\N"] = row.split("\t")
  return {
    last: Math.max(last, Number(number)),
    oldestServer: Math.max(oldestServer, Number(oldest === "\\N" ? number : oldest))
  }
}

/** Rejects a backup whose row counts differ from the database's, because row-level security may have hidden rows. */
const checkRows = ({ rows }: Pick<CopySummary, "rows">, archive: Archive): Effect.Effect<void, CopyFailed> => {
  const mismatches = countedTables.filter((name) => rows[name] !== archive.rows.get(name))
  return mismatches.length === 0 ? Effect.void : new CopyFailed({
    reason: "damaged",
    message: `The row counts of the backup and the database differ: ${
      mismatches.map((name) => `${archive.rows.get(name) ?? 0} and ${rows[name]} ${name}`).join(", ")
    }.`,
    fix: accessFix
  })
}

const accessFix =
  "Connect directly to the server, not through a pooler, with a role that owns the tables and can create a schema. Check that the disk has enough free space."

/** Checks the version of `pg_dump`, which refuses to back up a newer server. */
const checkVersion = (server: number, env: ToolEnvironment): Effect.Effect<void, CopyFailed> => {
  let version = 0
  const onLine = (line: string) => {
    version = Number(/ (\d+)/.exec(line)?.[1])
  }
  return Effect.flatMap(
    run("pg_dump", { args: ["--version"], env, onLine, fix: installFix }),
    () =>
      version >= server ? Effect.void : new CopyFailed({
        reason: "failed",
        message: `pg_dump ${version} cannot back up a Postgres ${server} server.`,
        fix:
          `Install the Postgres ${server} client tools, such as the Debian package postgresql-client-${server}, and put them first in PATH.`
      })
  )
}

const installFix = "Install the Postgres client tools for the server's version or newer, such as the Debian package " +
  "postgresql-client. Check that they are in PATH."

/** Runs a tool and passes each line of its output to `onLine`, decoded as Latin-1. */
const run = (tool: "pg_dump" | "pg_restore", { args, config, env, fix, onLine }: {
  readonly args: ReadonlyArray<string>
  readonly env: ToolEnvironment
  readonly fix: string
  /** The database that the tool connects to. */
  readonly config?: PostgresUrl
  readonly onLine?: (line: string) => void
}): Effect.Effect<void, CopyFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const url = config === undefined ? undefined : toConnectionUrl(config)
      const password = url === undefined || url.password === "" ? {} : { PGPASSWORD: decodeURIComponent(url.password) }
      // Other users on the machine can read a process's arguments, but not its environment.
      if (url !== undefined) url.password = ""
      const child = spawn(tool, url === undefined ? args : [...args, `--dbname=${url.href}`], {
        env: { ...env, ...password, LC_ALL: "C" },
        signal,
        stdio: ["ignore", "pipe", "pipe"]
      })
      let errors = ""
      child.stderr.setEncoding("utf8").on("data", (text: string) => errors += text)
      const readLines = async () => {
        // Decode as Latin-1, because UTF-8 text from guests can contain characters that are treated as line breaks.
        for await (const line of createInterface({ input: child.stdout.setEncoding("latin1") })) onLine?.(line)
      }
      const [[code]] = await Promise.all([once(child, "close"), readLines()])
      if (code !== 0) throw new CopyFailed({ reason: "failed", message: `${tool} failed: ${errors.trim()}`, fix })
    },
    catch: (cause) => {
      if (cause instanceof CopyFailed) return cause
      const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT"
      return isMissing
        ? new CopyFailed({ reason: "failed", message: `The program ${tool} was not found.`, fix: installFix })
        : toCopyFailed(cause)
    }
  })
