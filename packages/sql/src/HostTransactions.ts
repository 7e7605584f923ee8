/** Work inside a transaction that a program has begun by its own `sql.withTransaction`. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/**
 * Trailbook cannot work in this transaction: there is none, it has failed, it is of
 * another database or isolates in another way, or the tables are not there.
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
 * A call was made inside a transaction of the program, and not `within` it: its
 * answer would wait for that transaction to end, and that for the answer.
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
     * Runs work in the transaction of the program that the fiber is in, under a
     * savepoint and on behalf of its actor's org: committed with it, or never there.
     */
    readonly join: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | UnsupportedTransaction, R>
  }
>() {}
