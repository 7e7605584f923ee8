import { unavailableReason } from "@trailbook/core/port/unavailableReason"
import { type Refusal, unavailable } from "@trailbook/core/Refusal"
import { HostTransactions, type UnsupportedTransaction } from "@trailbook/sql/HostTransactions"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { engine } from "../runtime/engine.ts"

/**
 * The domain for work inside a transaction of the program: nothing in it waits for
 * other fibers, and no provider of payments is asked.
 */
export class HostedDomain extends Context.Tag("trailbook/HostedDomain")<
  HostedDomain,
  Context.Context<Layer.Layer.Success<ReturnType<typeof engine>>>
>() {
  static readonly layer = <E, R>(
    domain: Layer.Layer<Layer.Layer.Success<ReturnType<typeof engine>>, E, R>
  ): Layer.Layer<HostedDomain, E, R> => Layer.map(domain, (services) => Context.make(HostedDomain, services))
}

/**
 * Runs work of Trailbook inside the transaction that the program has begun by its own
 * `sql.withTransaction`: committed with it, or never there. The work has a savepoint,
 * so when it fails that can be caught and the transaction go on.
 *
 * On Postgres the transaction has to be under read committed. Do your own work first,
 * then this, then let the transaction end: nobody else of the outfitter stores
 * anything in between; on SQLite, nobody at all.
 *
 * @example
 * import * as SqlClient from "@effect/sql/SqlClient"
 * import { bookingsConfirm } from "@trailbook/core/booking/bookingOperations"
 * import * as Effect from "effect/Effect"
 * import { BookingEngine, call } from "trailbook/effect"
 *
 * const paid = (order: string, booking: string) =>
 *   Effect.flatMap(SqlClient.SqlClient, (sql) =>
 *     sql.withTransaction(Effect.zipRight(
 *       sql`update orders set paid = 1 where id = ${order}`,
 *       BookingEngine.within(call(bookingsConfirm, { id: booking }))
 *     )))
 */
export const runInHostTransaction = <A, E, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | UnsupportedTransaction | Refusal<"unavailable">, R | HostedDomain | HostTransactions> =>
  Effect.flatMap(
    Effect.zip(HostedDomain, HostTransactions),
    ([domain, { join }]) =>
      join(Effect.mapInputContext(work, (context: Context.Context<R>) => Context.merge(context, domain)))
  ).pipe(
    Effect.catchSomeCause((cause) =>
      unavailableReason(cause) === undefined
        ? Option.none()
        : Option.some(unavailable("The database cannot answer now. Begin the transaction again."))
    )
  )
