/**
 * Runs statements from the host application's own `sql` client inside a Trailbook transaction. A failed statement
 * breaks the transaction, unless the host application rolls back to its own savepoint. A statement fails if its fiber
 * has outlived the transaction.
 */
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { runUninterruptibly } from "./reservedConnection.ts"

export class HostStatements implements SqlConnection.Connection {
  private readonly sql: SqlConnection.Connection
  private readonly transaction: { readonly open: boolean; broken: unknown }
  private readonly handleFailure: (error: SqlError, text: string) => Effect.Effect<never, SqlError>

  constructor(
    sql: SqlConnection.Connection,
    transaction: { readonly open: boolean; broken: unknown },
    onFailure: (error: SqlError, text: string) => Effect.Effect<never, SqlError>
  ) {
    this.sql = sql
    this.transaction = transaction
    this.handleFailure = onFailure
  }

  readonly execute: SqlConnection.Connection["execute"] = (...statement) =>
    this.guard(statement[0], () => this.sql.execute(...statement))

  readonly executeRaw: SqlConnection.Connection["executeRaw"] = (...statement) =>
    this.guard(statement[0], () => this.sql.executeRaw(...statement))

  readonly executeValues: SqlConnection.Connection["executeValues"] = (...statement) =>
    this.guard(statement[0], () => this.sql.executeValues(...statement))

  readonly executeUnprepared: SqlConnection.Connection["executeUnprepared"] = (...statement) =>
    this.guard(statement[0], () => this.sql.executeUnprepared(...statement))

  readonly executeStream: SqlConnection.Connection["executeStream"] = (...statement) =>
    Stream.unwrap(Effect.map(this.guard("", () => Effect.void), () => this.sql.executeStream(...statement)))

  private guard<A>(text: string, run: () => Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.suspend(() => {
      const { broken, open } = this.transaction
      if (!open) return new SqlError({ cause: new Error("The transaction has ended."), message: "Too late" })
      const isRollback = rollbackToSavepoint.test(text)
      if (broken !== undefined && !isRollback) {
        return new SqlError({ cause: broken, message: "The transaction has already failed" })
      }
      return Effect.matchEffect(runUninterruptibly(run), {
        onFailure: (error) => this.handleFailure(error, text),
        onSuccess: (result) => {
          if (isRollback) this.transaction.broken = undefined
          return Effect.succeed(result)
        }
      })
    })
  }
}

/**
 * Matches a rollback to a savepoint of the host application. A broken transaction cannot create savepoints, so the
 * savepoint is older than the failure and rolling back to it undoes the failure.
 */
const rollbackToSavepoint = /^rollback to /i
