/**
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { Database } from "./Database.ts"
import { CurrentTransaction } from "./transaction.ts"

/**
 * A change of the schema. Its number is its place in the list, from 1; one that
 * was released is never edited, moved or taken out.
 *
 * @since 0.1.0
 * @category models
 */
export interface Migration {
  readonly name: string
  readonly statements: ReadonlyArray<string>
}

/**
 * The database was made by a later version, which may count on rules that this
 * one does not know.
 *
 * @since 0.1.0
 * @category errors
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
 *
 * @since 0.1.0
 * @category effects
 */
export const migrate = (
  migrations: ReadonlyArray<Migration>
): Effect.Effect<ReadonlyArray<string>, NewerSchema, Database> =>
  Effect.flatMap(Database, ({ dialect, execute, transaction }) =>
    transaction(Effect.gen(function*() {
      const table = dialect.table("migrations")
      const [row] = yield* Effect.zipRight(
        control(`create table if not exists ${table} (number integer primary key, name text not null)`),
        execute<{ readonly last: number }>(`select coalesce(max(number), 0) as last from ${table}`)
      )
      const last = row?.last ?? 0
      if (last > migrations.length) return yield* new NewerSchema({ found: last, known: migrations.length })
      const missing = migrations.slice(last)
      for (const [at, { name, statements }] of missing.entries()) {
        yield* Effect.forEach(statements, control, { discard: true })
        yield* execute(`insert into ${table} (number, name) values ($1, $2)`, [last + at + 1, name])
      }
      return missing.map(({ name }) => name)
    })))

/** On the connection of the transaction that it is run in. */
const control = (text: string): Effect.Effect<void> =>
  Effect.orDie(Effect.flatMap(Effect.serviceOptional(CurrentTransaction), ({ connection }) => connection.control(text)))
