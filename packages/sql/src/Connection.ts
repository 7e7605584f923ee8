/**
 * What a database's driver has to be able to do. Each of its effects fails with
 * whatever the driver threw: the dialect says what to make of it.
 */
import type * as SqlConnection from "@effect/sql/SqlConnection"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Value } from "./Dialect.ts"

export interface Connection {
  /** Runs a statement, with values for `$1 … $n`. There are few texts and they come again and again: it is kept prepared. */
  readonly run: <Row>(text: string, values: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>, unknown>
  /**
   * Runs a statement of a transaction whose answer nobody needs. A driver may keep
   * it back until something is awaited, so that it costs no round trip of its own:
   * if it fails, what is awaited next does, with {@link EarlierFailed}.
   */
  readonly write: (text: string, values: ReadonlyArray<Value>) => Effect.Effect<void, unknown>
  /**
   * Runs a statement that is not ours but of the program around us. It may be any,
   * and may never come again, so it is not kept prepared; its rows are what the
   * driver makes of them.
   */
  readonly foreign: (text: string, values: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<unknown>, unknown>
  /** Runs what steers a transaction or makes a table: it has no values, and no answer. */
  readonly control: (text: string) => Effect.Effect<void, unknown>
  /** What it is in `@effect/sql`: on it runs what a program says by its own `sql` inside our transaction. */
  readonly sql?: SqlConnection.Connection
}

/**
 * Not the statement that was awaited has failed, but one that was written before
 * it, so the awaited one was not looked at.
 */
export class EarlierFailed extends Data.Error<{ readonly text: string; readonly cause: unknown }> {}

/** Where transactions of one sort run. */
export interface Lane<C extends Connection = Connection> {
  /** A connection that is nobody else's until the scope closes. */
  readonly acquire: Effect.Effect<C, unknown, Scope.Scope>
  /** `tenants` are the orgs whose rows the transaction may see; all, when it is left out. */
  readonly begin: (connection: C, tenants: ReadonlyArray<string> | undefined) => Effect.Effect<void, unknown>
  /** What follows the commit of a transaction that erased something, before its connection is given back. */
  readonly wipe: (connection: C) => Effect.Effect<void>
}
