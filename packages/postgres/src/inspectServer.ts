import type { Connection } from "@trailbook/sql/Connection"
import { emptySchemaVersion, type SchemaVersion, schemaVersionQuery } from "@trailbook/sql/schema/migrate"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** The properties of a database and of our role. */
export interface Inspection {
  /** The server version as a number, such as 180004. */
  readonly version: number
  readonly encoding: string
  /** If off, a crash can lose committed transactions. */
  readonly fsync: boolean
  /** Whether our role bypasses row-level security, as a superuser or through BYPASSRLS. */
  readonly bypassesRowSecurity: boolean
  /** Whether transactions are read-only, as on a standby. */
  readonly readOnly: boolean
  readonly migrated: SchemaVersion
}

interface Row extends Omit<Inspection, "migrated"> {
  readonly hasMigrations: boolean
}

export const inspectServer = (
  acquire: Effect.Effect<Connection, unknown, Scope.Scope>,
  schema: string
): Effect.Effect<Inspection, unknown> =>
  Effect.scoped(Effect.gen(function*() {
    const { run } = yield* acquire
    const [row] = yield* run<Row>(
      `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding,
        current_setting('fsync')::boolean as fsync, current_setting('transaction_read_only')::boolean as "readOnly",
        to_regclass($1) is not null as "hasMigrations",
        (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as "bypassesRowSecurity"`,
      [`"${schema}".migrations`]
    )
    if (row === undefined) return yield* Effect.fail(new Error("Postgres returned no server settings."))
    const { hasMigrations, ...server } = row
    const [migrated = emptySchemaVersion] = hasMigrations
      ? yield* run<SchemaVersion>(schemaVersionQuery(`"${schema}".migrations`), [])
      : []
    return { ...server, migrated }
  }))

/** The oldest supported version. Older versions have reached end of life and are untested. */
const oldestVersion = 140_000

/** Returns the reason why Trailbook cannot use the database, or undefined if the database is supported. */
export const findUnsupportedReason = ({ encoding, readOnly, version }: Inspection): Error | undefined => {
  if (version < oldestVersion) return new Error("the server is older than Postgres 14.")
  if (encoding !== "UTF8") {
    return new Error(`its encoding is ${encoding}, which cannot store every character. Use UTF8.`)
  }
  if (readOnly) {
    return new Error(
      "the server is read-only. Connect to the primary, or turn off default_transaction_read_only and free up " +
        "disk space."
    )
  }
  return undefined
}
