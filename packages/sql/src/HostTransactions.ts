/** Runs work inside a transaction that the host application has started with its own `sql.withTransaction`. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/**
 * Reports that the host application's transaction cannot be used. For example, no transaction is open, the transaction
 * has failed, the database or the isolation level is wrong, or the tables do not exist.
 */
export class UnsupportedTransaction extends Data.TaggedError("UnsupportedTransaction")<{
  readonly message: string
}> {
  static readonly none = new UnsupportedTransaction({
    message: "within: no transaction is open. Open one with sql.withTransaction."
  })

  static readonly elsewhere = new UnsupportedTransaction({
    message: "within: the transaction belongs to another database. Start it with the SqlClient of the engine."
  })
}

/**
 * Reports that the host application made a call inside its transaction, but not through `within`. The call and the
 * transaction would wait for each other forever.
 */
export class SelfDeadlock extends Error {
  override readonly name = "SelfDeadlock"

  constructor() {
    super(
      "Deadlock: this call would wait for the open transaction, because SQLite has a single writer. " +
        "Wrap the call in BookingEngine.runInHostTransaction(…), or make it before or after the transaction."
    )
  }
}

export class HostTransactions extends Context.Tag("@trailbook/sql/HostTransactions")<
  HostTransactions,
  {
    /**
     * Runs work in the host application's transaction on this fiber. It runs under a savepoint and in the actor's
     * tenant scope, and commits or rolls back with that transaction.
     */
    readonly join: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | UnsupportedTransaction, R>
  }
>() {}
