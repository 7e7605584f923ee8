/**
 * What a program says by its own `sql` inside a transaction of ours. A statement
 * that fails breaks the transaction as one of ours does, unless the program goes
 * back to a savepoint of its own; and a fiber that outlives the transaction does
 * not speak in somebody else's.
 */
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { runUninterruptibly } from "./reservedConnection.ts"

export class HostStatements implements SqlConnection.Connection {
  private readonly sql: SqlConnection.Connection
  private readonly transaction: { readonly open: boolean; broken: unknown }
  private readonly failed: (error: SqlError, text: string) => Effect.Effect<never, SqlError>

  constructor(
    sql: SqlConnection.Connection,
    transaction: { readonly open: boolean; broken: unknown },
    failed: (error: SqlError, text: string) => Effect.Effect<never, SqlError>
  ) {
    this.sql = sql
    this.transaction = transaction
    this.failed = failed
  }

  readonly execute: SqlConnection.Connection["execute"] = (...statement) =>
    this.said(statement[0], () => this.sql.execute(...statement))

  readonly executeRaw: SqlConnection.Connection["executeRaw"] = (...statement) =>
    this.said(statement[0], () => this.sql.executeRaw(...statement))

  readonly executeValues: SqlConnection.Connection["executeValues"] = (...statement) =>
    this.said(statement[0], () => this.sql.executeValues(...statement))

  readonly executeUnprepared: SqlConnection.Connection["executeUnprepared"] = (...statement) =>
    this.said(statement[0], () => this.sql.executeUnprepared(...statement))

  readonly executeStream: SqlConnection.Connection["executeStream"] = (...statement) =>
    Stream.unwrap(Effect.map(this.said("", () => Effect.void), () => this.sql.executeStream(...statement)))

  private said<A>(text: string, ask: () => Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.suspend(() => {
      const { broken, open } = this.transaction
      if (!open) return new SqlError({ cause: new Error("The transaction has ended."), message: "Too late" })
      const goesBack = returns.test(text)
      if (broken !== undefined && !goesBack) {
        return new SqlError({ cause: broken, message: "The transaction has failed before" })
      }
      return Effect.matchEffect(runUninterruptibly(ask), {
        onFailure: (error) => this.failed(error, text),
        onSuccess: (answer) => {
          if (goesBack) this.transaction.broken = undefined
          return Effect.succeed(answer)
        }
      })
    })
  }
}

/** To a savepoint of the program's, behind which whatever failed was said: a broken transaction takes no savepoint. */
const returns = /^rollback to /i
