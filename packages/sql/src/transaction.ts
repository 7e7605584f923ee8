/**
 * How a unit of work runs on a connection of its own.
 *
 * It begins, runs statements and ends: committed when its work succeeded, else
 * rolled back; interrupted at any point, rolled back too. The moment a statement
 * fails the transaction is broken: it refuses every further one and cannot
 * commit, even if its work caught the defect. Postgres behaves so by itself;
 * SQLite would commit the rest, and after a full disk, on which it gives up the
 * transaction, every later statement by itself.
 *
 * Work inside it runs under a savepoint, so it can fail and be caught by itself.
 *
 * One that lost to another transaction, by a deadlock or a lock that it waited
 * for too long, is run again from its start, for it has left nothing and a unit
 * of work does nothing outside of the database. A commit whose answer was lost is
 * not: it may have happened.
 */
import { TransactionConnection } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Scope from "effect/Scope"
import { type Connection, EarlierFailed, type Lane } from "./Connection.ts"
import { DatabaseUnavailable } from "./DatabaseUnavailable.ts"
import type { Dialect, Value } from "./Dialect.ts"
import { HostStatements } from "./HostStatements.ts"
import { driverCause } from "./reservedConnection.ts"
import { StatementFailed } from "./StatementFailed.ts"

type Failure = DatabaseUnavailable | StatementFailed

/** The transaction that a fiber is in. */
export interface Transaction {
  readonly connection: Connection
  /** False once it has ended; a fiber forked in it may live on. */
  open: boolean
  /** Why it cannot commit any more. */
  broken: Failure | undefined
  /** Whether it failed because of another transaction. */
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
 * The transaction that a fiber with this context is in. One that outlives the
 * transaction it was forked in is outside.
 */
export const currentTransaction = (context: Context.Context<never>): Transaction | undefined => {
  const current = Context.getOption(context, CurrentTransaction)
  return current._tag === "Some" && current.value.open ? current.value : undefined
}

/** Says of what a driver threw at a statement what it means. */
export type ClassifyError = (cause: unknown, text: string) => Failure

export const meanings = ({ isContended, isUnavailable }: Dialect): ClassifyError => (error, awaited) => {
  const failure = driverCause(error)
  const { cause, text } = failure instanceof EarlierFailed ? failure : { cause: failure, text: awaited }
  const contended = isContended(cause)
  return contended || isUnavailable(cause)
    ? new DatabaseUnavailable({ cause, contended })
    : new StatementFailed({ text, cause })
}

/** Runs what a driver does, and dies of what its failure means. */
const orDieWith = <A, R>(
  meaning: ClassifyError,
  work: Effect.Effect<A, unknown, R>,
  text: string
): Effect.Effect<A, never, R> => Effect.catchAll(work, (cause) => Effect.die(meaning(cause, text)))

/** Runs a statement in a transaction. */
export const runIn = <Row>(
  meaning: ClassifyError,
  transaction: Transaction,
  text: string,
  values: ReadonlyArray<Value> = []
): Effect.Effect<ReadonlyArray<Row>> =>
  runStatement(meaning, transaction, transaction.connection.run<Row>(text, values), text)

/** Runs a statement in a transaction whose answer nobody needs. */
export const writeIn = (
  meaning: ClassifyError,
  transaction: Transaction,
  text: string,
  values: ReadonlyArray<Value> = []
): Effect.Effect<void> => runStatement(meaning, transaction, transaction.connection.write(text, values), text)

/** Runs a statement of the program around us in a transaction. */
export const foreignIn = (
  meaning: ClassifyError,
  transaction: Transaction,
  text: string,
  values: ReadonlyArray<Value>
): Effect.Effect<ReadonlyArray<unknown>> =>
  runStatement(meaning, transaction, transaction.connection.foreign(text, values), text)

const runStatement = <A>(
  meaning: ClassifyError,
  transaction: Transaction,
  work: Effect.Effect<A, unknown>,
  text: string
): Effect.Effect<A> => {
  if (transaction.broken !== undefined) return Effect.die(transaction.broken)
  return Effect.catchAll(work, (cause) => {
    const failure = meaning(cause, text)
    markFailed(transaction, failure)
    return Effect.die(failure)
  })
}

const markFailed = (transaction: Transaction, error: Failure): void => {
  transaction.broken = error
  if (error._tag === "DatabaseUnavailable" && error.contended) transaction.contended = true
}

/**
 * Work that is in a transaction, also with what it says by its program's own `sql`.
 * `@effect/sql` has one such place for all clients of a program; `depth` is how many
 * savepoints its own stand around the work.
 */
export const inTransaction =
  (meaning: ClassifyError, transaction: Transaction, depth = 0) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const { sql } = transaction.connection
    const failed = (error: SqlError, text: string): Effect.Effect<never, SqlError> => {
      markFailed(transaction, meaning(error, text))
      return Effect.fail(error)
    }
    return Effect.mapInputContext(work, (context: Context.Context<R>) => {
      const joined = Context.add(context, CurrentTransaction, transaction)
      return sql === undefined
        ? joined
        : Context.add(joined, TransactionConnection, [new HostStatements(sql, transaction, failed), depth])
    })
  }

/** How often a transaction is run again that lost to another one. */
const retries = 3

/**
 * Different for each, or those that met would meet again. It is the database that
 * needs the time, so it is not for a test's clock to pass it.
 */
const pause = Effect.flatMap(
  Random.nextIntBetween(10, 100),
  (millis) => Effect.withClock(Effect.sleep(millis), Clock.make())
)

/** Runs work in a transaction of its own, for these orgs alone or for all. */
export const transact = <C extends Connection>(meaning: ClassifyError, lane: Lane<C>) =>
<A, E, R>(
  work: Effect.Effect<A, E, R>,
  tenants: ReadonlyArray<string> | undefined
): Effect.Effect<A, E, R> => {
  const run = (retriesLeft: number): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      let transaction: Transaction | undefined
      const once = Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Scope.make(), (scope) =>
          // Who waits for the connection can still be interrupted.
          restore(orDieWith(meaning, Scope.extend(lane.acquire, scope), "connect")).pipe(
            Effect.flatMap((connection) => {
              transaction = makeTransaction(connection)
              return within(meaning, lane, connection, transaction, tenants, restore(work))
            }),
            Effect.onExit((exit) => Scope.close(scope, exit))
          ))
      )
      return retriesLeft === 0 ? once : Effect.catchAllCause(once, (cause) =>
        transaction?.contended === true
          ? Effect.zipRight(pause, run(retriesLeft - 1))
          : Effect.failCause(cause))
    })
  return run(retries)
}

const within = <C extends Connection, A, E, R>(
  meaning: ClassifyError,
  lane: Lane<C>,
  connection: C,
  transaction: Transaction,
  tenants: ReadonlyArray<string> | undefined,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const rollback = orDieWith(meaning, connection.control("rollback"), "rollback")
  const begin = orDieWith(meaning, lane.begin(connection, tenants), "begin")
  const commit = runStatement(meaning, transaction, connection.control("commit"), "commit")

  return Effect.zipRight(begin, Effect.exit(inTransaction(meaning, transaction)(work))).pipe(
    Effect.flatMap((exit) => {
      transaction.open = false
      const { broken, erases } = transaction
      if (Exit.isFailure(exit)) return Effect.ensuring(exit, rollback)
      if (broken !== undefined) return Effect.ensuring(Effect.die(broken), rollback)
      return Effect.catchAllCause(commit, (cause) => Effect.ensuring(Effect.failCause(cause), rollback)).pipe(
        Effect.zipRight(erases ? lane.wipe(connection) : Effect.void),
        Effect.zipRight(exit)
      )
    })
  )
}

/** Runs work in a transaction that is already there. */
export const join =
  (meaning: ClassifyError, transaction: Transaction) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const { control } = transaction.connection
    const undone = Effect.zipRight(control("rollback to unit"), control("release unit"))
    const undo = Effect.map(orDieWith(meaning, undone, "rollback"), () => {
      transaction.broken = undefined
    })
    const steer = (text: string) => runStatement(meaning, transaction, control(text), text)
    return Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(steer("savepoint unit"), Effect.exit(restore(work))).pipe(
        Effect.flatMap((exit) => {
          const { broken } = transaction
          if (Exit.isFailure(exit)) return Effect.ensuring(exit, undo)
          if (broken !== undefined) return Effect.ensuring(Effect.die(broken), undo)
          // What the work has written may fail only now.
          return Effect.zipRight(Effect.onError(steer("release unit"), () => undo), exit)
        })
      )
    )
  }
