/**
 * A connection of `@effect/sql` that is nobody else's, as our units of work ask it.
 *
 * Statements go by `execute` on it and not by templates: so no text is compiled,
 * and none has a span and a scope. They are not interrupted: what was sent is
 * answered, and only then is the connection free.
 */
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Connection } from "./Connection.ts"
import type { Value } from "./Dialect.ts"

/** How a statement of ours reaches a driver. */
export interface SendMode {
  /**
   * The text as the driver takes it. What is `later` is a statement whose answer nobody needs; what `opens` a transaction
   * is never sent where nothing follows it; what is `foreign` is the program's, and comes once.
   */
  readonly text: (text: string, how: StatementMode) => string
  readonly values: (text: string, values: ReadonlyArray<Value>) => ReadonlyArray<unknown>
}

export type StatementMode = "now" | "later" | "opens" | "control" | "foreign"

export interface ReservedConnection extends Connection {
  readonly sql: SqlConnection.Connection
  /** Runs, before anything else of the transaction, what is not needed where nothing follows. */
  readonly open: (text: string, values: ReadonlyArray<Value>) => Effect.Effect<void, unknown>
}

export const reserveOver = (
  sql: SqlConnection.Connection,
  { text: sent, values: bound }: SendMode
): ReservedConnection => {
  const ask = (
    text: string,
    values: ReadonlyArray<Value>,
    how: StatementMode
  ): Effect.Effect<ReadonlyArray<never>, unknown> =>
    // What its rows are, only who asks knows.
    unwrapSqlError(
      sql.execute(sent(text, how), bound(text, values), undefined) as Effect.Effect<ReadonlyArray<never>, SqlError>
    )
  const done = (text: string, values: ReadonlyArray<Value>, how: StatementMode) => Effect.asVoid(ask(text, values, how))
  return {
    sql,
    run: (text, values) => ask(text, values, "now"),
    write: (text, values) => done(text, values, "later"),
    open: (text, values) => done(text, values, "opens"),
    foreign: (text, values) => unwrapSqlError(runUnprepared(sql, sent(text, "foreign"), bound(text, values))),
    control: (text) => {
      if (text === "commit") return unwrapSqlError(committed(sql, sent(text, "control")))
      // What steers comes again and again; what makes a table does not.
      return steers.test(text)
        ? done(text, [], "control")
        : Effect.asVoid(unwrapSqlError(runUnprepared(sql, sent(text, "control"), [])))
    }
  }
}

/** Asks uninterruptibly, and fails with what the driver threw. */
export const unwrapSqlError = <A>(ask: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
  Effect.uninterruptible(Effect.mapError(ask, driverCause))

const steers = /^(?:begin|rollback|savepoint|release)/

/**
 * Runs a statement that is not kept prepared. What SQLite cannot prepare is thrown
 * before there is an effect.
 */
export const runUnprepared = (
  sql: SqlConnection.Connection,
  text: string,
  values: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<unknown>, SqlError> =>
  runUninterruptibly(() => sql.executeUnprepared(text, values, undefined))

/** Asks, uninterruptibly, what may throw instead. */
export const runUninterruptibly = <A, E>(ask: () => Effect.Effect<A, E>): Effect.Effect<A, E | SqlError> =>
  Effect.uninterruptible(Effect.suspend((): Effect.Effect<A, E | SqlError> => {
    try {
      return ask()
    } catch (cause) {
      return Effect.fail(new SqlError({ cause, message: "Failed to prepare statement" }))
    }
  }))

/** Postgres takes the commit of a transaction that has failed, and rolls it back. */
const committed = (sql: SqlConnection.Connection, text: string): Effect.Effect<void, unknown> =>
  Effect.flatMap(sql.executeRaw(text, []), (said) => {
    const command = typeof said === "object" && said !== null && "command" in said ? said.command : "COMMIT"
    return command === "COMMIT" ? Effect.void : Effect.fail(new Error(`Postgres answers ${String(command)} to COMMIT.`))
  })

/** What a driver threw, without what `@effect/sql` says of it. */
export const driverCause = (error: unknown): unknown => error instanceof SqlError ? error.cause : error
