import type { Connection } from "@trailbook/sql/Connection"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What a database and our role in it are like. */
export interface Inspection {
  /** Such as 180004. */
  readonly version: number
  readonly encoding: string
  /** Off, a server that crashes loses what it has confirmed. */
  readonly fsync: boolean
  /** Whether row-level security does not bind our role: it is a superuser, or was given the right. */
  readonly bypassesRowSecurity: boolean
  /** The number of the last migration; 0 where there is none. */
  readonly migrated: number
}

interface Row {
  readonly version: number
  readonly encoding: string
  readonly fsync: boolean
  readonly bypasses: boolean
  readonly has_migrations: boolean
}

export const inspect = (
  acquire: Effect.Effect<Connection, unknown, Scope.Scope>,
  schema: string
): Effect.Effect<Inspection, unknown> =>
  Effect.scoped(Effect.gen(function*() {
    const { run } = yield* acquire
    const [row] = yield* run<Row>(
      `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding,
        current_setting('fsync')::boolean as fsync, to_regclass($1) is not null as has_migrations,
        (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses`,
      [`"${schema}".migrations`]
    )
    if (row === undefined) return yield* Effect.fail(new Error("Postgres says nothing of itself."))
    const [last] = row.has_migrations
      ? yield* run<{ readonly number: number }>(
        `select coalesce(max(number), 0) as number from "${schema}".migrations`,
        []
      )
      : []
    const { bypasses, encoding, fsync, version } = row
    return { version, encoding, fsync, bypassesRowSecurity: bypasses, migrated: last?.number ?? 0 }
  }))

/** Older ones are not tested, and no longer maintained by anybody. */
const oldestVersion = 140_000

/** Why we cannot work on such a database, if so. */
export const unsupportedReason = ({ encoding, version }: Inspection): Error | undefined => {
  if (version < oldestVersion) return new Error("it is older than Postgres 14.")
  if (encoding !== "UTF8") {
    return new Error(`its encoding is ${encoding}, in which not every name can be written; it has to be UTF8.`)
  }
  return undefined
}
