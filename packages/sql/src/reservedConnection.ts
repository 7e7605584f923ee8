/**
 * Adapts a reserved `@effect/sql` connection for Trailbook transactions.
 *
 * Statements call `execute` directly instead of using templates. This avoids compiling text and creating a span and a
 * scope for each statement. Statements are uninterruptible, because a connection is not free until it has received the
 * response.
 */
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Connection } from "./Connection.ts"
import type { SqlValue } from "./Dialect.ts"

/** Defines how statements are passed to a driver. */
export interface StatementEncoder {
  /**
   * Returns the text for the driver. `later` marks a statement whose result is not awaited. `opens` marks a statement
   * that starts a transaction and is sent only if another statement follows. `foreign` marks a statement from the host
   * application, which may never recur.
   */
  readonly text: (text: string, how: StatementMode) => string
  readonly values: (text: string, values: ReadonlyArray<SqlValue>) => ReadonlyArray<unknown>
}

export type StatementMode = "now" | "later" | "opens" | "control" | "foreign"

export interface ReservedConnection extends Connection {
  readonly sql: SqlConnection.Connection
  /** Starts the transaction. The statement is sent only if another statement follows. */
  readonly open: (text: string, values: ReadonlyArray<SqlValue>) => Effect.Effect<void, unknown>
}

export const makeReservedConnection = (
  sql: SqlConnection.Connection,
  { text: toText, values: toValues }: StatementEncoder
): ReservedConnection => {
  const execute = (
    text: string,
    values: ReadonlyArray<SqlValue>,
    mode: StatementMode
  ): Effect.Effect<ReadonlyArray<never>, unknown> =>
    // The caller knows the row type.
    unwrapSqlError(
      sql.execute(toText(text, mode), toValues(text, values), undefined) as Effect.Effect<
        ReadonlyArray<never>,
        SqlError
      >
    )
  const send = (text: string, values: ReadonlyArray<SqlValue>, mode: StatementMode) =>
    Effect.asVoid(execute(text, values, mode))
  return {
    sql,
    run: (text, values) => execute(text, values, "now"),
    write: (text, values) => send(text, values, "later"),
    open: (text, values) => send(text, values, "opens"),
    foreign: (text, values) => unwrapSqlError(runUnprepared(sql, toText(text, "foreign"), toValues(text, values))),
    control: (text) => {
      if (text === "commit") return unwrapSqlError(commitAndCheck(sql, toText(text, "control")))
      // Transaction control statements recur, so they are kept prepared. DDL statements run once.
      return transactionControl.test(text)
        ? send(text, [], "control")
        : Effect.asVoid(unwrapSqlError(runUnprepared(sql, toText(text, "control"), [])))
    }
  }
}

/** Runs an effect uninterruptibly. Fails with the driver's error. */
export const unwrapSqlError = <A>(effect: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
  Effect.uninterruptible(Effect.mapError(effect, unwrapDriverError))

const transactionControl = /^(?:begin|rollback|savepoint|release)/

/** Runs a statement without keeping it prepared. SQLite throws synchronously if it cannot prepare the text. */
export const runUnprepared = (
  sql: SqlConnection.Connection,
  text: string,
  values: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<unknown>, SqlError> =>
  runUninterruptibly(() => sql.executeUnprepared(text, values, undefined))

/** Runs an effect uninterruptibly, and turns a synchronous exception into a failure. */
export const runUninterruptibly = <A, E>(makeEffect: () => Effect.Effect<A, E>): Effect.Effect<A, E | SqlError> =>
  Effect.uninterruptible(Effect.suspend((): Effect.Effect<A, E | SqlError> => {
    try {
      return makeEffect()
    } catch (cause) {
      return Effect.fail(new SqlError({ cause, message: "Failed to prepare statement" }))
    }
  }))

/**
 * Commits a transaction. PostgreSQL responds to the commit of a failed transaction with a rollback instead of an error,
 * so this checks the command tag.
 */
const commitAndCheck = (sql: SqlConnection.Connection, text: string): Effect.Effect<void, unknown> =>
  Effect.flatMap(sql.executeRaw(text, []), (result) => {
    const command = typeof result === "object" && result !== null && "command" in result ? result.command : "COMMIT"
    return command === "COMMIT" ? Effect.void : Effect.fail(new Error(`Postgres answers ${String(command)} to COMMIT.`))
  })

/** Returns the driver error without the `@effect/sql` wrapper. */
export const unwrapDriverError = (error: unknown): unknown => error instanceof SqlError ? error.cause : error
