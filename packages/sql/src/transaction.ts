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
 * @since 0.1.0
 */
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { DatabaseUnavailable } from "./DatabaseUnavailable.ts"
import type { Dialect, Value } from "./Dialect.ts"

/**
 * Where transactions of one sort run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Lane {
  /** A connection that is nobody else's until the scope closes. */
  readonly acquire: Connection.Acquirer
  /** The statement that begins. */
  readonly begin: string
  /** What follows the commit of a transaction that erased something, before its connection is given back. */
  readonly wipe: (connection: Connection) => Effect.Effect<void>
}

/**
 * The transaction that a fiber is in.
 *
 * @since 0.1.0
 * @category models
 */
export interface Transaction {
  readonly connection: Connection
  /** False once it has ended; a fiber forked in it may live on. */
  open: boolean
  /** Why it cannot commit any more. */
  broken: DatabaseUnavailable | SqlError | undefined
  erases: boolean
}

/**
 * @since 0.1.0
 * @category services
 */
export class CurrentTransaction extends Context.Tag("@trailbook/sql/CurrentTransaction")<
  CurrentTransaction,
  Transaction
>() {}

/**
 * Runs a statement on a connection.
 *
 * @since 0.1.0
 * @category models
 */
export type Attempt = <Row>(
  connection: Pick<Connection, "execute">,
  text: string,
  values?: ReadonlyArray<Value>
) => Effect.Effect<ReadonlyArray<Row>, DatabaseUnavailable | SqlError>

/**
 * @since 0.1.0
 * @category constructors
 */
export const attempts = (dialect: Dialect): Attempt => (connection, text, values = []) =>
  Effect.mapError(
    connection.execute(text, dialect.bind(values), undefined),
    ({ cause }) => dialect.isUnavailable(cause) ? new DatabaseUnavailable({ cause }) : failed(text, cause)
  )

/** The library says of every failure that a statement failed; this says which, and what the database said. */
const failed = (text: string, cause: unknown): SqlError =>
  new SqlError({ message: `${cause instanceof Error ? cause.message : String(cause)}, in: ${text}`, cause })

/**
 * Runs a statement in a transaction.
 *
 * @since 0.1.0
 * @category running
 */
export const runIn = <Row>(
  attempt: Attempt,
  transaction: Transaction,
  text: string,
  values?: ReadonlyArray<Value>
): Effect.Effect<ReadonlyArray<Row>> => {
  if (transaction.broken !== undefined) return Effect.die(transaction.broken)
  return Effect.catchAll(attempt<Row>(transaction.connection, text, values), (error) => {
    transaction.broken = error
    return Effect.die(error)
  })
}

/**
 * Runs work in a transaction of its own.
 *
 * @since 0.1.0
 * @category running
 */
export const transact =
  (attempt: Attempt, lane: Lane) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Scope.make(), (scope) =>
        // Who waits for the connection can still be interrupted.
        restore(Effect.orDie(Scope.extend(lane.acquire, scope))).pipe(
          Effect.flatMap((connection) => onConnection(attempt, lane, connection, restore(work))),
          Effect.onExit((exit) => Scope.close(scope, exit))
        ))
    )

const onConnection = <A, E, R>(
  attempt: Attempt,
  lane: Lane,
  connection: Connection,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const transaction: Transaction = { connection, open: true, broken: undefined, erases: false }
  const within = (context: Context.Context<R>): Context.Context<R> =>
    Context.add(context, CurrentTransaction, transaction)
  const run = (text: string) => Effect.orDie(attempt(connection, text))
  const rollback = run("rollback")

  return Effect.zipRight(run(lane.begin), Effect.exit(Effect.mapInputContext(work, within))).pipe(
    Effect.flatMap((exit) => {
      transaction.open = false
      const { broken, erases } = transaction
      if (Exit.isFailure(exit)) return Effect.ensuring(exit, rollback)
      if (broken !== undefined) return Effect.ensuring(Effect.die(broken), rollback)
      return Effect.onError(run("commit"), () => rollback).pipe(
        Effect.zipRight(erases ? lane.wipe(connection) : Effect.void),
        Effect.zipRight(exit)
      )
    })
  )
}

/**
 * Runs work in a transaction that is already there.
 *
 * @since 0.1.0
 * @category running
 */
export const join =
  (attempt: Attempt, transaction: Transaction) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const undo = Effect.orDie(Effect.zipRight(
      attempt(transaction.connection, "rollback to unit"),
      attempt(transaction.connection, "release unit")
    )).pipe(Effect.tap(() => {
      transaction.broken = undefined
    }))
    return Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(runIn(attempt, transaction, "savepoint unit"), Effect.exit(restore(work))).pipe(
        Effect.flatMap((exit) => {
          const { broken } = transaction
          if (Exit.isFailure(exit)) return Effect.ensuring(exit, undo)
          if (broken !== undefined) return Effect.ensuring(Effect.die(broken), undo)
          return Effect.zipRight(runIn(attempt, transaction, "release unit"), exit)
        })
      )
    )
  }
