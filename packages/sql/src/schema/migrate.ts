import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Database } from "../Database.ts"
import { CurrentTransaction } from "../transaction.ts"

/** A schema change. After its release, a migration is never edited, moved, or removed. */
export interface Migration {
  readonly name: string
  readonly statements: ReadonlyArray<string>
  /**
   * The oldest schema version whose servers work with the changed schema. It must be at least 35, and at least the
   * value of every earlier migration. If it is not set, the schema works only with servers that know the migration.
   */
  readonly oldestServer?: number
}

/** The version of an existing schema. Both numbers are 0 in an empty database. */
export interface SchemaVersion {
  /** The number of the last applied migration. */
  readonly last: number
  /** The oldest schema version whose servers work with the schema. */
  readonly oldestServer: number
}

export const emptySchemaVersion: SchemaVersion = { last: 0, oldestServer: 0 }

/**
 * Returns the query for the schema version. Before version 35, the table had no column `oldest_server`, so the name
 * refers to the null in the outer query.
 */
export const schemaVersionQuery = (table: string): string =>
  `select (select coalesce(max(number), 0) from ${table}) as last,
    (select coalesce(max(coalesce(oldest_server, number)), 0) from ${table}) as "oldestServer"
    from (select cast(null as integer) as oldest_server) absent`

/** The statements that bring a database of any supported version to the current schema version. */
export interface Migrations {
  /** The statements that create the tables of version `createdVersion` in an empty database. */
  readonly create: ReadonlyArray<string>
  readonly createdVersion: number
  /** The oldest schema version that can be upgraded. */
  readonly oldestVersion: number
  /** The changes after `oldestVersion`, in order. Each step increases the version by 1. */
  readonly steps: ReadonlyArray<Migration>
}

/** Returns the current schema version. */
export const getLatestVersion = ({ oldestVersion, steps }: Migrations): number => oldestVersion + steps.length

/**
 * Reports that a later version of Trailbook has migrated the database. The schema may follow rules that this version
 * does not know.
 */
export class SchemaTooNew extends Data.TaggedError("SchemaTooNew")<{
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `a newer version of Trailbook migrated it to schema version ${this.found}, but this version supports schema version ${this.known}`
  }
}

/** Reports that the schema is older than the oldest version that can be upgraded. */
export class SchemaTooOld extends Data.TaggedError("SchemaTooOld")<{
  readonly found: number
  readonly oldest: number
}> {
  override get message(): string {
    return `its schema version ${this.found} is too old. This version upgrades schema version ${this.oldest} and later. First run "trailbook migrate" with Trailbook commit 777e0fce`
  }
}

/** Runs the pending migrations in one transaction and returns their names. */
export const migrate = (
  migrations: Migrations
): Effect.Effect<ReadonlyArray<string>, SchemaTooNew | SchemaTooOld, Database> =>
  Effect.flatMap(Database, ({ dialect, execute, transaction }) =>
    transaction(Effect.gen(function*() {
      const table = dialect.table("migrations")
      const [version = emptySchemaVersion] = yield* Effect.zipRight(
        runControl(migrationsTable(table)),
        execute<SchemaVersion>(schemaVersionQuery(table))
      )
      const { names, statements } = yield* findPendingMigrations(migrations, version, { table })
      yield* Effect.forEach(statements, runControl, { discard: true })
      return names
    })))

/** A database's pending migrations. */
export interface PendingMigrations {
  /** The names, in order. */
  readonly names: ReadonlyArray<string>
  /** All statements, including the ones that record the migrations. Run them in one transaction. */
  readonly statements: ReadonlyArray<string>
}

/**
 * Returns the migrations that are pending for a schema at this version. If the schema is newer but works with our
 * version, no migration is pending.
 */
export const findPendingMigrations = (
  migrations: Migrations,
  { last, oldestServer }: SchemaVersion,
  { before = [], table }: {
    /** The name of the migrations table in statements. */
    readonly table: string
    /** Statements to run before the first migration. */
    readonly before?: ReadonlyArray<string>
  }
): Either.Either<PendingMigrations, SchemaTooNew | SchemaTooOld> => {
  const { create, createdVersion, oldestVersion, steps } = migrations
  const latest = getLatestVersion(migrations)
  if (oldestServer > latest) return Either.left(new SchemaTooNew({ found: last, known: latest }))
  if (last > 0 && last < oldestVersion) return Either.left(new SchemaTooOld({ found: last, oldest: oldestVersion }))
  const numberedSteps = steps.map((step, at) => ({ ...step, number: oldestVersion + at + 1 }))
  const pendingSteps = last > 0
    ? numberedSteps.filter(({ number }) => number > last)
    : [
      { name: "create", statements: create, number: createdVersion },
      ...numberedSteps.filter(({ number }) => number > createdVersion)
    ]
  if (pendingSteps.length === 0) return Either.right({ names: [], statements: [] })
  const changes = pendingSteps.flatMap(({ name, number, oldestServer, statements }) => [
    ...statements,
    oldestServer === undefined
      ? `insert into ${table} (number, name) values (${number}, '${name}')`
      : `insert into ${table} (number, name, oldest_server) values (${number}, '${name}', ${oldestServer})`
  ])
  return Either.right({
    names: pendingSteps.map(({ name }) => name),
    statements: [...before, migrationsTable(table), ...changes]
  })
}

const migrationsTable = (table: string): string =>
  `create table if not exists ${table} (number integer primary key, name text not null)`

/** Runs a statement on the connection of the current transaction. */
const runControl = (text: string): Effect.Effect<void> =>
  Effect.orDie(Effect.flatMap(Effect.serviceOptional(CurrentTransaction), ({ connection }) => connection.control(text)))
