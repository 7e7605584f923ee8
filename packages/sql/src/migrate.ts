import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Database } from "./Database.ts"
import { CurrentTransaction } from "./transaction.ts"

/**
 * A change of the schema. Its number is its place in the list, from 1; one that
 * was released is never edited, moved or taken out.
 */
export interface Migration {
  readonly name: string
  readonly statements: ReadonlyArray<string>
}

/**
 * The database was made by a later version, which may count on rules that this
 * one does not know.
 */
export class NewerSchema extends Data.TaggedError("NewerSchema")<{
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `it was made by a later version of Trailbook: its schema is number ${this.found}, this version knows ${this.known}`
  }
}

/**
 * Brings the schema up to date, in one transaction, and says by name which
 * changes that took.
 */
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
      const { names, statements } = yield* pending(migrations, row?.last ?? 0, { table })
      yield* Effect.forEach(statements, control, { discard: true })
      return names
    })))

/** The changes that a database lacks. */
export interface Pending {
  /** By name, in order. */
  readonly names: ReadonlyArray<string>
  /** What makes them, and writes down that they were made. It is for one transaction. */
  readonly statements: ReadonlyArray<string>
}

/** What a database lacks whose last change was number `last`; 0 is an empty one. */
export const pending = (
  migrations: ReadonlyArray<Migration>,
  last: number,
  { before = [], table }: {
    /** The table of migrations, as statements write it. */
    readonly table: string
    /** What has to stand before the first change. */
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

/** On the connection of the transaction that it is run in. */
const control = (text: string): Effect.Effect<void> =>
  Effect.orDie(Effect.flatMap(Effect.serviceOptional(CurrentTransaction), ({ connection }) => connection.control(text)))
