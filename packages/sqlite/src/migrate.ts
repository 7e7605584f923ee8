/**
 * @since 0.1.0
 */
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import { Database } from "@trailbook/sql/Database"
import { CurrentTransaction } from "@trailbook/sql/transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { create } from "./migrations/0001_create.ts"
import { statistics } from "./migrations/0002_statistics.ts"

const statements = (texts: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true }))

/** Every change of the schema, by number. */
const migrations = {
  "0001_create": statements(create),
  "0002_statistics": statements(statistics)
}

/** The migrator's statements go where the library's client finds its transaction. */
const inTransaction = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.serviceOption(CurrentTransaction), (current) => {
    const { connection } = Option.getOrThrow(current)
    return Effect.provideService(work, SqlClient.TransactionConnection, [connection, 0])
  })

/**
 * Brings the schema up to date and says which changes that took. All of it is
 * one transaction that begins with the write lock: of two processes that open a
 * new file at once, the second waits and then finds nothing to do.
 *
 * @since 0.1.0
 * @category effects
 */
export const migrate = Effect.flatMap(
  Database,
  ({ transaction }) =>
    transaction(inTransaction(Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" })))
)
