/** Coordinates units of work with the program's own transactions on their shared connection. */
import { TransactionConnection } from "@effect/sql/SqlClient"
import { TransactionContext } from "@trailbook/core/port"
import { HostTransactions, SelfDeadlock, UnsupportedTransaction } from "@trailbook/sql/HostTransactions"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import {
  getCurrentTransaction,
  makeErrorClassifier,
  makeTransaction,
  runInSavepoint,
  runStatementInTransaction,
  runWorkInTransaction
} from "@trailbook/sql/transaction"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { dialect } from "./dialect.ts"

/** Dies if the fiber already holds the writer, because waiting for it would deadlock. */
export const assertNoDeadlock = ({ sql }: ReservedConnection): Effect.Effect<void> =>
  Effect.withFiberRuntime(({ currentContext }) => {
    const within = Context.getOption(currentContext, TransactionConnection)
    const waits = getCurrentTransaction(currentContext) !== undefined ||
      (within._tag === "Some" && within.value[0] === sql)
    return waits ? Effect.die(new SelfDeadlock()) : Effect.void
  })

/**
 * A statement that takes the write lock. It is needed because the program may have started its transaction without
 * `begin immediate`.
 */
const lock = "update migrations set name = name where false"

/** Runs units of work inside a transaction that the program opened on the writer. */
export const makeHostTransactions = (
  writer: ReservedConnection,
  { truncateLater }: { readonly truncateLater: Effect.Effect<void> }
) => {
  const classify = makeErrorClassifier(dialect)
  // Units of work must not interleave, because each would release the other's savepoints.
  const oneByOne = Effect.unsafeMakeSemaphore(1)
  return HostTransactions.of({
    join: (work) =>
      Effect.withFiberRuntime(({ currentContext }) => {
        if (getCurrentTransaction(currentContext) !== undefined) return work
        const connection = Context.getOption(currentContext, TransactionConnection)
        if (connection._tag === "None") return UnsupportedTransaction.none
        const [sql, depth] = connection.value
        if (sql !== writer.sql) return UnsupportedTransaction.elsewhere
        return oneByOne.withPermits(1)(Effect.suspend(() => {
          const transaction = makeTransaction(writer)
          const lockedWork = Effect.zipRight(runStatementInTransaction(classify, transaction, lock), work)
          return runInSavepoint(classify, transaction)(runWorkInTransaction(classify, transaction, depth)(lockedWork))
            .pipe(
              Effect.provideService(TransactionContext, { owner: "host" }),
              Effect.ensuring(Effect.suspend(() => {
                transaction.open = false
                return transaction.erases ? truncateLater : Effect.void
              }))
            )
        }))
      })
  })
}
