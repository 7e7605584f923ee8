/**
 * Runs each transaction on its own connection.
 *
 * A transaction commits if the work succeeds, and rolls back if the work fails or is interrupted. A failed statement
 * breaks the transaction. A broken transaction rejects every further statement and cannot commit, even if the work
 * caught the defect. PostgreSQL enforces this itself. SQLite would commit the other statements. If the disk is full,
 * SQLite even rolls back the transaction and then commits every later statement separately.
 *
 * Nested work runs under a savepoint, so its failure can be caught without failing the transaction.
 *
 * A transaction that fails because of another one, through a deadlock or a lock timeout, is retried from the start. A
 * retry is safe because the transaction was rolled back and has no effects outside the database. If the response to a
 * commit is lost, the transaction is not retried, because the commit may have succeeded.
 */
import { TransactionConnection } from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { databaseRetries, toRetryLabels } from "@trailbook/core/port"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Connection, EarlierStatementFailed, type TransactionPool } from "./Connection.ts"
import { DatabaseUnavailable, StatementFailed } from "./DatabaseUnavailable.ts"
import type { Dialect, SqlValue } from "./Dialect.ts"
import { runUninterruptibly, unwrapDriverError } from "./reservedConnection.ts"

type Failure = DatabaseUnavailable | StatementFailed

/** A fiber's transaction. */
export interface Transaction {
  readonly connection: Connection
  /** False after the transaction has ended. Forked fibers can outlive the transaction. */
  open: boolean
  /** The failure that prevents the transaction from committing. */
  broken: Failure | undefined
  /** Whether another transaction caused the failure. */
  contended: boolean
  erases: boolean
}

export const makeTransaction = (connection: Connection): Transaction => ({
  connection,
  open: true,
  broken: undefined,
  contended: false,
  erases: false
})

export class CurrentTransaction extends Context.Tag("@trailbook/sql/CurrentTransaction")<
  CurrentTransaction,
  Transaction
>() {}

/**
 * Returns the open transaction of the fiber that has this context. A fiber that outlives its transaction counts as
 * outside it.
 */
export const getCurrentTransaction = (context: Context.Context<never>): Transaction | undefined => {
  const current = Context.getOption(context, CurrentTransaction)
  return current._tag === "Some" && current.value.open ? current.value : undefined
}

/** Classifies a driver error for a statement. */
export type ErrorClassifier = (cause: unknown, text: string) => Failure

export const makeErrorClassifier =
  ({ isContended, isUnavailable }: Dialect): ErrorClassifier => (error, awaitedText) => {
    const failure = unwrapDriverError(error)
    const { cause, text } = failure instanceof EarlierStatementFailed ? failure : { cause: failure, text: awaitedText }
    const contended = isContended(cause)
    return contended || isUnavailable(cause)
      ? new DatabaseUnavailable({ cause, contended })
      : new StatementFailed({ text, cause })
  }

/** Runs a driver effect and turns its failure into a classified defect. */
const orDieWith = <A, R>(
  classify: ErrorClassifier,
  work: Effect.Effect<A, unknown, R>,
  text: string
): Effect.Effect<A, never, R> => Effect.catchAll(work, (cause) => Effect.die(classify(cause, text)))

/** Runs a statement in a transaction. */
export const runStatementInTransaction = <Row>(
  classify: ErrorClassifier,
  transaction: Transaction,
  text: string,
  values: ReadonlyArray<SqlValue> = []
): Effect.Effect<ReadonlyArray<Row>> =>
  runStatement(classify, transaction, transaction.connection.run<Row>(text, values), text)

/** Runs a statement in a transaction without waiting for its result. */
export const writeInTransaction = (
  classify: ErrorClassifier,
  transaction: Transaction,
  text: string,
  values: ReadonlyArray<SqlValue> = []
): Effect.Effect<void> => runStatement(classify, transaction, transaction.connection.write(text, values), text)

/** Runs a statement from the host application in a transaction. */
export const runHostStatement = (
  classify: ErrorClassifier,
  transaction: Transaction,
  text: string,
  values: ReadonlyArray<SqlValue>
): Effect.Effect<ReadonlyArray<unknown>> =>
  runStatement(classify, transaction, transaction.connection.foreign(text, values), text)

const runStatement = <A>(
  classify: ErrorClassifier,
  transaction: Transaction,
  work: Effect.Effect<A, unknown>,
  text: string
): Effect.Effect<A> => {
  if (transaction.broken !== undefined) return Effect.die(transaction.broken)
  return Effect.catchAll(work, (cause) => {
    const failure = classify(cause, text)
    markFailed(transaction, failure)
    return Effect.die(failure)
  })
}

const markFailed = (transaction: Transaction, error: Failure): void => {
  transaction.broken = error
  if (error._tag === "DatabaseUnavailable" && error.contended) transaction.contended = true
}

/**
 * Runs work inside a transaction. Statements from the host application's own `sql` client also run in this transaction,
 * because `@effect/sql` has a single transaction context for all clients in a program. `depth` is the number of
 * savepoints that `@effect/sql` has open around the work.
 */
export const runWorkInTransaction =
  (classify: ErrorClassifier, transaction: Transaction, depth = 0) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const { sql } = transaction.connection
    const failWith = (error: SqlError, text: string): Effect.Effect<never, SqlError> => {
      markFailed(transaction, classify(error, text))
      return Effect.fail(error)
    }
    return Effect.mapInputContext(work, (context: Context.Context<R>) => {
      const innerContext = Context.add(context, CurrentTransaction, transaction)
      return sql === undefined
        ? innerContext
        : Context.add(innerContext, TransactionConnection, [new HostStatements(sql, transaction, failWith), depth])
    })
  }

/** The maximum number of retries after a conflict with another transaction. */
const maxRetries = 3

/**
 * A random delay, so that transactions that collided do not collide again. It uses the real clock, because a test clock
 * would skip the delay that the database needs.
 */
const retryDelay = Effect.flatMap(
  Random.nextIntBetween(10, 100),
  (millis) => Effect.withClock(Effect.sleep(millis), Clock.make())
)

/** Runs work in a new transaction that is scoped to the orgs in `tenants`, or to all orgs if `tenants` is undefined. */
export const runInNewTransaction =
  <C extends Connection>(classify: ErrorClassifier, lane: TransactionPool<C>) =>
  <A, E, R>(
    work: Effect.Effect<A, E, R>,
    tenants: ReadonlyArray<string> | undefined
  ): Effect.Effect<A, E, R> => {
    const run = (retriesLeft: number): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        let transaction: Transaction | undefined
        const attempt = Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(Scope.make(), (scope) =>
            // The fiber can still be interrupted while it waits for a connection.
            restore(orDieWith(classify, Scope.extend(lane.acquire, scope), "connect")).pipe(
              Effect.flatMap((connection) => {
                transaction = makeTransaction(connection)
                return runWithin(classify, lane, connection, transaction, tenants, restore(work))
              }),
              Effect.onExit((exit) => Scope.close(scope, exit))
            ))
        )
        return retriesLeft === 0 ? attempt : Effect.catchAllCause(attempt, (cause) =>
          transaction?.contended === true
            ? Effect.zipRight(
              retryDelay,
              Effect.suspend(() => {
                databaseRetries.unsafeUpdate(1, toRetryLabels("conflict"))
                return run(retriesLeft - 1)
              })
            )
            : Effect.failCause(cause))
      })
    return run(maxRetries)
  }

const runWithin = <C extends Connection, A, E, R>(
  classify: ErrorClassifier,
  lane: TransactionPool<C>,
  connection: C,
  transaction: Transaction,
  tenants: ReadonlyArray<string> | undefined,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const rollback = orDieWith(classify, connection.control("rollback"), "rollback")
  const begin = orDieWith(classify, lane.begin(connection, tenants), "begin")
  const commit = runStatement(classify, transaction, connection.control("commit"), "commit")

  return Effect.zipRight(begin, Effect.exit(runWorkInTransaction(classify, transaction)(work))).pipe(
    Effect.flatMap((exit) => {
      transaction.open = false
      const { broken, erases } = transaction
      if (Exit.isFailure(exit)) return undoAfter(exit, rollback)
      if (broken !== undefined) return Effect.ensuring(Effect.die(broken), rollback)
      return Effect.catchAllCause(commit, (cause) => Effect.ensuring(Effect.failCause(cause), rollback)).pipe(
        Effect.zipRight(erases ? lane.truncateLog(connection) : Effect.void),
        Effect.zipRight(exit)
      )
    })
  )
}

/**
 * Undoes failed work. If that fails too, the work's refusal is dropped, because a caller must not mistake a database
 * failure for a refusal.
 */
const undoAfter = <A, E>(exit: Exit.Failure<A, E>, undo: Effect.Effect<void>): Effect.Effect<A, E> =>
  Cause.isFailure(exit.cause) ? Effect.zipRight(undo, exit) : Effect.ensuring(exit, undo)

/** Runs work in an existing transaction, under a savepoint. */
export const runInSavepoint =
  (classify: ErrorClassifier, transaction: Transaction) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const { control } = transaction.connection
    const rollbackToSavepoint = Effect.zipRight(control("rollback to unit"), control("release unit"))
    const undo = Effect.map(orDieWith(classify, rollbackToSavepoint, "rollback"), () => {
      transaction.broken = undefined
    })
    const runControl = (text: string) => runStatement(classify, transaction, control(text), text)
    return Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(runControl("savepoint unit"), Effect.exit(restore(work))).pipe(
        Effect.flatMap((exit) => {
          const { broken } = transaction
          if (Exit.isFailure(exit)) return undoAfter(exit, undo)
          if (broken !== undefined) return Effect.ensuring(Effect.die(broken), undo)
          // A write whose result was not awaited may not fail until this statement.
          return Effect.zipRight(Effect.onError(runControl("release unit"), () => undo), exit)
        })
      )
    )
  }

/**
 * Runs statements from the host application's own `sql` client inside a Trailbook transaction. A failed statement
 * breaks the transaction, unless the host application rolls back to its own savepoint. A statement fails if its fiber
 * has outlived the transaction.
 */
class HostStatements implements SqlConnection.Connection {
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
