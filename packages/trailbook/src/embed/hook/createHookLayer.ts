import { ownConflict, unavailable } from "@trailbook/core"
import { BookingCreateHook, type BookingRecord, bookingView, HookDefect } from "@trailbook/core/booking"
import { Database } from "@trailbook/sql/Database"
import { type ClassifyError, currentTransaction, meanings, type Transaction } from "@trailbook/sql/transaction"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HostFailed } from "../transaction/HostFailed.ts"
import { transactionFor } from "../transaction/transactionFor.ts"
import type { Before } from "./Before.ts"
import { HookRefusal } from "./hookRefusal.ts"

/**
 * The time limit for a `before` function, in milliseconds. The function runs while the session is locked, which blocks
 * other bookings. Postgres also ends a transaction that is idle for 5 seconds.
 */
export const answersWithinMs = 4000

/** Provides the host application's `before.bookingCreate` rule. */
export const createHookLayer = (
  { bookingCreate }: Before
): Layer.Layer<BookingCreateHook, never, Database> | undefined =>
  bookingCreate === undefined ? undefined : Layer.effect(
    BookingCreateHook,
    Effect.map(Database, ({ dialect }) => {
      const ask = runRule(bookingCreate, meanings(dialect))
      return BookingCreateHook.of({
        admit: (draft) =>
          Effect.contextWithEffect((context: Context.Context<never>) => {
            const current = currentTransaction(context)
            return current === undefined
              ? Effect.dieMessage("Invariant violated: booking written outside a transaction")
              : ask(draft, current)
          })
      })
    })
  )

const runRule =
  (rule: NonNullable<Before["bookingCreate"]>, classify: ClassifyError) =>
  (draft: BookingRecord, current: Transaction) => {
    const { end, failed, tx } = transactionFor(classify, current)
    // If a statement failed, report its error instead of the error that the host function threw. The statement's error
    // can be a conflict, which a retry resolves.
    const stands = Effect.suspend(() => {
      if (current.broken === undefined) return Effect.void
      const statement = failed()
      return Effect.die(statement === undefined ? current.broken : new HostFailed(part, statement.cause))
    })
    return Effect.tryPromise({
      try: async () => {
        const answer = await rule(bookingView(draft), tx)
        // Treat a returned refusal like a thrown one.
        if (answer instanceof HookRefusal) throw answer
      },
      catch: (error) =>
        error instanceof HookRefusal
          ? ownConflict(error.code, error.message)
          : new HookDefect({ defect: new HostFailed(part, error) })
    }).pipe(
      // Make the call interruptible. Bookings are written in an uninterruptible region, where the timeout would have no
      // effect.
      Effect.interruptible,
      Effect.timeoutFail({ duration: answersWithinMs, onTimeout: tooSlow }),
      Effect.ensuring(end),
      Effect.catchTag("HookDefect", (defect) => Effect.zipRight(stands, defect)),
      Effect.zipLeft(stands)
    )
  }

const part = "before.bookingCreate"

const tooSlow = () =>
  unavailable(`${part} did not respond within ${answersWithinMs / 1000} seconds, so nothing was booked.`)
