/**
 * The operations that a database driver must provide. Each effect fails with the driver's error, which the dialect
 * classifies.
 */
import type * as SqlConnection from "@effect/sql/SqlConnection"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SqlValue } from "./Dialect.ts"

export interface Connection {
  /**
   * Runs a statement with values for `$1 … $n`. Prepared statements are cached, because there are only a few distinct
   * ones.
   */
  readonly run: <Row>(text: string, values: ReadonlyArray<SqlValue>) => Effect.Effect<ReadonlyArray<Row>, unknown>
  /**
   * Runs a statement without waiting for its result. A driver can delay the statement until the next awaited statement,
   * which saves a round trip. If the delayed statement fails, the next awaited statement fails with
   * {@link EarlierStatementFailed}.
   */
  readonly write: (text: string, values: ReadonlyArray<SqlValue>) => Effect.Effect<void, unknown>
  /**
   * Runs a statement for the host application. Does not cache the prepared statement, because the same text may never
   * be used again. Returns the driver's rows unchanged.
   */
  readonly foreign: (text: string, values: ReadonlyArray<SqlValue>) => Effect.Effect<ReadonlyArray<unknown>, unknown>
  /** Runs a transaction control or DDL statement, which has no values and no result. */
  readonly control: (text: string) => Effect.Effect<void, unknown>
  /**
   * The `@effect/sql` connection. Inside a Trailbook transaction, the host application's own `sql` client uses this
   * connection.
   */
  readonly sql?: SqlConnection.Connection
}

/** Reports that the awaited statement did not run, because an earlier statement that no caller awaited had failed. */
export class EarlierStatementFailed extends Data.Error<{ readonly text: string; readonly cause: unknown }> {}

/** A pool for transactions of one kind. */
export interface TransactionPool<C extends Connection = Connection> {
  /** Acquires a connection for exclusive use until the scope closes. */
  readonly acquire: Effect.Effect<C, unknown, Scope.Scope>
  /** Starts a transaction that can access the rows of the orgs in `tenants`, or all rows if `tenants` is undefined. */
  readonly begin: (connection: C, tenants: ReadonlyArray<string> | undefined) => Effect.Effect<void, unknown>
  /** Runs after the commit of a transaction that erased data, before its connection is released. */
  readonly truncateLog: (connection: C) => Effect.Effect<void>
}
