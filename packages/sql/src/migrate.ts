import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Database } from "./Database.ts"
import { CurrentTransaction } from "./transaction.ts"

/**
 * A schema change. Its number is its position in the list, from 1. A released migration is never edited, moved, or
 * removed.
 */
export interface Migration {
  readonly name: string
  readonly statements: ReadonlyArray<string>
}

/** The database was migrated by a later version, which can rely on rules that this version does not know. */
export class NewerSchema extends Data.TaggedError("NewerSchema")<{
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `it was migrated by a newer version of Trailbook: its schema version is ${this.found}, but this version supports ${this.known}`
  }
}

/** Runs the pending migrations in one transaction and returns their names. */
export const migrate = (
  migrations: ReadonlyArray<Migration>
): Effect.Effect<ReadonlyArray<string>, NewerSchema, Database> =>
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

/** Returns the pending migrations after number `last`; 0 means an empty database. */
export const pendingMigrations = (
  migrations: ReadonlyArray<Migration>,
  last: number,
  { before = [], table }: {
    /** The migrations table, as it appears in statements. */
    readonly table: string
    /** Statements to run before the first migration. */
    readonly before?: ReadonlyArray<string>
  }
): Either.Either<Pending, NewerSchema> => {
  if (last > migrations.length) return Either.left(new NewerSchema({ found: last, known: migrations.length }))
  const missing = migrations.slice(last)
  if (missing.length === 0) return Either.right({ names: [], statements: [] })
  const changes = missing.flatMap(({ name, statements }, at) => [
    ...statements,
    `insert into ${table} (number, name) values (${last + at + 1}, '${name}')`
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
