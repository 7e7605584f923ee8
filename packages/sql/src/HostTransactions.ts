/** Runs work inside a transaction that the host application has started with its own `sql.withTransaction`. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/**
 * The transaction cannot be used: none is open, it has failed, it belongs to another database or has another isolation
 * level, or the tables do not exist.
 */
export class UnsupportedTransaction extends Data.TaggedError("UnsupportedTransaction")<{
  readonly message: string
}> {
  static readonly none = new UnsupportedTransaction({
    message: "within: there is no transaction of the program; put it into sql.withTransaction"
  })

  static readonly elsewhere = new UnsupportedTransaction({
    message: "within: the transaction is of another database; begin it by the SqlClient that the engine has"
  })
}

/**
 * A call was made inside a transaction of the host application, but not `within` it. The call would wait for the
 * transaction, and the transaction for the call.
 */
export class SelfDeadlock extends Error {
  override readonly name = "WaitsForItself"

  constructor() {
    super(
      "This call would wait for ever for the transaction that it is made in, for SQLite has one writer. " +
        "Put it into BookingEngine.within(…), or make it before or after the transaction."
    )
  }
}

export class HostTransactions extends Context.Tag("@trailbook/sql/HostTransactions")<
  HostTransactions,
  {
    /**
     * Runs work in the host application's transaction of this fiber, under a savepoint and in the tenant scope of the
     * actor's org. The work is committed or rolled back with that transaction.
     */
    readonly join: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | UnsupportedTransaction, R>
  }
>() {}
