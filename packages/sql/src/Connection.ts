/**
 * The operations that a database driver must provide. Each effect fails with the error of the driver, which the dialect
 * classifies.
 */
import type * as SqlConnection from "@effect/sql/SqlConnection"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Value } from "./Dialect.ts"

export interface Connection {
  /** Runs a statement with values for `$1 … $n`. The number of distinct texts is small, so statements stay prepared. */
  readonly run: <Row>(text: string, values: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>, unknown>
  /**
   * Runs a statement whose result is not needed. A driver can delay it until the next awaited statement, which saves a
   * round trip. If it fails, the next awaited statement fails with {@link EarlierFailed}.
   */
  readonly write: (text: string, values: ReadonlyArray<Value>) => Effect.Effect<void, unknown>
  /**
   * Runs a statement of the host application. The text can be anything and may never repeat, so it is not kept
   * prepared. The rows are returned as the driver provides them.
   */
  readonly foreign: (text: string, values: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<unknown>, unknown>
  /** Runs a transaction control or DDL statement, which has no values and no result. */
  readonly control: (text: string) => Effect.Effect<void, unknown>
  /** The `@effect/sql` connection, on which the host application's own `sql` runs inside a Trailbook transaction. */
  readonly sql?: SqlConnection.Connection
}

/** An earlier statement without an awaited result failed, so the awaited statement was not executed. */
export class EarlierFailed extends Data.Error<{ readonly text: string; readonly cause: unknown }> {}

/** A pool for transactions of one kind. */
export interface Lane<C extends Connection = Connection> {
  /** Acquires a connection for exclusive use until the scope closes. */
  readonly acquire: Effect.Effect<C, unknown, Scope.Scope>
  /** `tenants` are the orgs whose rows the transaction can see. If undefined, it sees all. */
  readonly begin: (connection: C, tenants: ReadonlyArray<string> | undefined) => Effect.Effect<void, unknown>
  /** Runs after the commit of a transaction that erased data, before its connection is released. */
  readonly wipe: (connection: C) => Effect.Effect<void>
}
