import { type Refusal, unavailable } from "@trailbook/core"
import { unavailableReason } from "@trailbook/core/port"
import { HostTransactions, type UnsupportedTransaction } from "@trailbook/sql/HostTransactions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * Runs operations inside a transaction that the application started with `sql.withTransaction`. The operations commit
 * or roll back with the transaction. They run under a savepoint, so the transaction can continue after a caught
 * failure.
 *
 * On Postgres, the transaction must use the read committed isolation level. Run the operations last, right before the
 * commit. Until the transaction ends, they block the outfitter's other writes. On SQLite, they block all other writes.
 *
 * @example
 * import * as SqlClient from "@effect/sql/SqlClient"
 * import { bookingsConfirm } from "@trailbook/core/booking"
 * import * as Effect from "effect/Effect"
 * import { BookingEngine, call } from "trailbook/effect"
 *
 * const paid = (order: string, booking: string) =>
 *   Effect.flatMap(SqlClient.SqlClient, (sql) =>
 *     sql.withTransaction(Effect.zipRight(
 *       sql`update orders set paid = 1 where id = ${order}`,
 *       BookingEngine.runInHostTransaction(call(bookingsConfirm, { id: booking }))
 *     )))
 */
export const runInHostTransaction = <A, E, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | UnsupportedTransaction | Refusal<"unavailable">, R | HostTransactions> =>
  Effect.flatMap(HostTransactions, ({ join }) => join(work)).pipe(
    Effect.catchSomeCause((cause) =>
      unavailableReason(cause) === undefined
        ? Option.none()
        : Option.some(unavailable("The database is unavailable. Retry the transaction."))
    )
  )
