/** Units of work and the program's own transactions share one connection: what joins them, and what may not wait for them. */
import { TransactionConnection } from "@effect/sql/SqlClient"
import { Hosted } from "@trailbook/core/port/Hosted"
import { HostTransactions, SelfDeadlock, UnsupportedTransaction } from "@trailbook/sql/HostTransactions"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import { currentTransaction, inTransaction, join, makeTransaction, meanings, runIn } from "@trailbook/sql/transaction"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { dialect } from "./dialect.ts"

/** Whoever is in a transaction of the program has the writer until that ends. */
export const mayWait = ({ sql }: ReservedConnection): Effect.Effect<void> =>
  Effect.withFiberRuntime(({ currentContext }) => {
    const within = Context.getOption(currentContext, TransactionConnection)
    const waits = currentTransaction(currentContext) !== undefined ||
      (within._tag === "Some" && within.value[0] === sql)
    return waits ? Effect.die(new SelfDeadlock()) : Effect.void
  })

/** Takes the lock that an immediate transaction begins with: a program's own begins without one. */
const lock = "update migrations set name = name where false"

/** Units of work within a transaction that the program has begun on the writer. */
export const makeJoin = (writer: ReservedConnection, { wipeLater }: { readonly wipeLater: Effect.Effect<void> }) => {
  const meaning = meanings(dialect)
  // Savepoints of two that take turns statement by statement would end each other.
  const oneByOne = Effect.unsafeMakeSemaphore(1)
  return HostTransactions.of({
    join: (work) =>
      Effect.withFiberRuntime(({ currentContext }) => {
        if (currentTransaction(currentContext) !== undefined) return work
        const found = Context.getOption(currentContext, TransactionConnection)
        if (found._tag === "None") return UnsupportedTransaction.none
        const [sql, depth] = found.value
        if (sql !== writer.sql) return UnsupportedTransaction.elsewhere
        return oneByOne.withPermits(1)(Effect.suspend(() => {
          const transaction = makeTransaction(writer)
          const locked = Effect.zipRight(runIn(meaning, transaction, lock), work)
          return join(meaning, transaction)(inTransaction(meaning, transaction, depth)(locked)).pipe(
            Effect.provideService(Hosted, true),
            Effect.ensuring(Effect.suspend(() => {
              transaction.open = false
              return transaction.erases ? wipeLater : Effect.void
            }))
          )
        }))
      })
  })
}
