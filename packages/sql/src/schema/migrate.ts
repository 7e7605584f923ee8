import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Database } from "../Database.ts"
import { CurrentTransaction } from "../transaction.ts"

/** A schema change. A released migration is never edited, moved, or removed. */
export interface Migration {
  readonly name: string
  readonly statements: ReadonlyArray<string>
}

/** How databases of different ages reach the current schema version. */
export interface Migrations {
  /** Creates the tables of version `createdVersion` in an empty database. */
  readonly create: ReadonlyArray<string>
  readonly createdVersion: number
  /** The oldest schema version that can be upgraded. */
  readonly oldestVersion: number
  /** The changes after `oldestVersion`, in order. Each one increases the version by 1. */
  readonly steps: ReadonlyArray<Migration>
}

/** Returns the current schema version. */
export const latestVersion = ({ oldestVersion, steps }: Migrations): number => oldestVersion + steps.length

/** The database was migrated by a later version, which can rely on rules that this version does not know. */
export class NewerSchema extends Data.TaggedError("NewerSchema")<{
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `it was migrated by a newer version of Trailbook: its schema version is ${this.found}, but this version supports ${this.known}`
  }
}

/** The schema is older than the oldest version that can be upgraded. */
export class OlderSchema extends Data.TaggedError("OlderSchema")<{
  readonly found: number
  readonly oldest: number
}> {
  override get message(): string {
    return `its schema version ${this.found} is too old: this version upgrades schema version ${this.oldest} and later. First run "trailbook migrate" of Trailbook commit 777e0fce`
  }
}

/** Runs the pending migrations in one transaction and returns their names. */
export const migrate = (
  migrations: Migrations
): Effect.Effect<ReadonlyArray<string>, NewerSchema | OlderSchema, Database> =>
  Effect.flatMap(Database, ({ dialect, execute, transaction }) =>
    transaction(Effect.gen(function*() {
      const table = dialect.table("migrations")
      const [row] = yield* Effect.zipRight(
        control(migrationsTable(table)),
        execute<{ readonly last: number }>(`select coalesce(max(number), 0) as last from ${table}`)
      )
      const { names, statements } = yield* pendingMigrations(migrations, row?.last ?? 0, { table })
      yield* Effect.forEach(statements, control, { discard: true })
      return names
    })))

/** The pending migrations of a database. */
export interface Pending {
  /** The names, in order. */
  readonly names: ReadonlyArray<string>
  /** The statements, including those that record the migrations. Run them in one transaction. */
  readonly statements: ReadonlyArray<string>
}

/** Returns the pending migrations after version `last`. 0 means an empty database. */
export const pendingMigrations = (
  migrations: Migrations,
  last: number,
  { before = [], table }: {
    /** The migrations table, as it appears in statements. */
    readonly table: string
    /** Statements to run before the first migration. */
    readonly before?: ReadonlyArray<string>
  }
): Either.Either<Pending, NewerSchema | OlderSchema> => {
  const { create, createdVersion, oldestVersion, steps } = migrations
  const known = latestVersion(migrations)
  if (last > known) return Either.left(new NewerSchema({ found: last, known }))
  if (last > 0 && last < oldestVersion) return Either.left(new OlderSchema({ found: last, oldest: oldestVersion }))
  const numbered = steps.map((step, at) => ({ ...step, number: oldestVersion + at + 1 }))
  const missing = last > 0
    ? numbered.filter(({ number }) => number > last)
    : [
      { name: "create", statements: create, number: createdVersion },
      ...numbered.filter(({ number }) => number > createdVersion)
    ]
  if (missing.length === 0) return Either.right({ names: [], statements: [] })
  const changes = missing.flatMap(({ name, number, statements }) => [
    ...statements,
    `insert into ${table} (number, name) values (${number}, '${name}')`
  ])
  return Either.right({
    names: missing.map(({ name }) => name),
    statements: [...before, migrationsTable(table), ...changes]
  })
}

const migrationsTable = (table: string): string =>
  `create table if not exists ${table} (number integer primary key, name text not null)`

/** Runs on the connection of the current transaction. */
const control = (text: string): Effect.Effect<void> =>
  Effect.orDie(Effect.flatMap(Effect.serviceOptional(CurrentTransaction), ({ connection }) => connection.control(text)))
