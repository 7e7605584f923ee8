import { BookingCreateHook, HookDefect } from "@trailbook/core/booking/BookingCreateHook"
import { type BookingRecord, bookingView } from "@trailbook/core/booking/BookingView"
import { ownConflict, unavailable } from "@trailbook/core/Refusal"
import { Database } from "@trailbook/sql/Database"
import { type ClassifyError, currentTransaction, meanings, type Transaction } from "@trailbook/sql/transaction"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Before } from "./Before.ts"
import { HookRefusal } from "./hookRefusal.ts"
import { HostFailed } from "./HostFailed.ts"
import { transactionFor } from "./transactionFor.ts"

/**
 * How long a function of the option `before` may take. It keeps a place from all
 * who want it; and a transaction in which nothing was asked for 5 seconds is ended
 * by Postgres.
 */
export const answersWithinMs = 4000

/** The program's own rule, over whichever database the booking is written in. */
export const createHookLayer = (
  { bookingCreate }: Before
): Layer.Layer<BookingCreateHook, never, Database> | undefined =>
  bookingCreate === undefined ? undefined : Layer.effect(
    BookingCreateHook,
    Effect.map(Database, ({ dialect }) => {
      const ask = asking(bookingCreate, meanings(dialect))
      return BookingCreateHook.of({
        admit: (draft) =>
          Effect.contextWithEffect((context: Context.Context<never>) => {
            const current = currentTransaction(context)
            return current === undefined
              ? Effect.dieMessage("A booking is written in a transaction.")
              : ask(draft, current)
          })
      })
    })
  )

const asking =
  (rule: NonNullable<Before["bookingCreate"]>, meaning: ClassifyError) =>
  (draft: BookingRecord, current: Transaction) => {
    const { end, failed, tx } = transactionFor(meaning, current)
    // A statement that failed says more than what was made of it, and may succeed when the unit is run again.
    const stands = Effect.suspend(() => {
      if (current.broken === undefined) return Effect.void
      const statement = failed()
      return Effect.die(statement === undefined ? current.broken : new HostFailed(part, statement.said))
    })
    return Effect.tryPromise({
      try: async () => {
        const answer = await rule(bookingView(draft), tx)
        // One that was returned is meant no less than one that was thrown.
        if (answer instanceof HookRefusal) throw answer
      },
      catch: (thrown) =>
        thrown instanceof HookRefusal
          ? ownConflict(thrown.code, thrown.message)
          : new HookDefect({ defect: new HostFailed(part, thrown) })
    }).pipe(
      // Bookings are sold uninterruptibly, and what cannot be interrupted cannot be given up.
      Effect.interruptible,
      Effect.timeoutFail({ duration: answersWithinMs, onTimeout: tooSlow }),
      Effect.ensuring(end),
      Effect.catchTag("HookDefect", (broken) => Effect.zipRight(stands, broken)),
      Effect.zipLeft(stands)
    )
  }

const part = "before.bookingCreate"

const tooSlow = () =>
  unavailable(`${part} did not answer within ${answersWithinMs / 1000} seconds, so nothing was booked.`)
