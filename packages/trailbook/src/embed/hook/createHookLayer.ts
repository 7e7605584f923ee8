import { hostConflict, unavailable } from "@trailbook/core"
import { BookingCreateHook, type BookingRecord, bookingView, HookDefect } from "@trailbook/core/booking"
import { Database } from "@trailbook/sql/Database"
import { StatementFailed } from "@trailbook/sql/DatabaseUnavailable"
import {
  type ErrorClassifier,
  getCurrentTransaction,
  makeErrorClassifier,
  runHostStatement,
  type Transaction as Current
} from "@trailbook/sql/transaction"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { HostFunctionError } from "../transaction/HostFunctionError.ts"
import type { BeforeHooks, BookingTransaction } from "./BeforeHooks.ts"
import { HookRefusal } from "./hookRefusal.ts"

/**
 * The time limit for a `before` function, in milliseconds. The function runs while the session is locked, which blocks
 * other bookings. Postgres also ends a transaction that is idle for 5 seconds.
 */
const hookTimeoutMs = 4000

/** Provides the host application's `before.bookingCreate` rule. */
export const createHookLayer = (
  { bookingCreate }: BeforeHooks
): Layer.Layer<BookingCreateHook, never, Database> | undefined =>
  bookingCreate === undefined ? undefined : Layer.effect(
    BookingCreateHook,
    Effect.map(Database, ({ dialect }) => {
      const ask = runRule(bookingCreate, makeErrorClassifier(dialect))
      return BookingCreateHook.of({
        admit: (draft) =>
          Effect.contextWithEffect((context: Context.Context<never>) => {
            const current = getCurrentTransaction(context)
            return current === undefined
              ? Effect.dieMessage("Invariant violated: booking written outside a transaction")
              : ask(draft, current)
          })
      })
    })
  )

const runRule =
  (rule: NonNullable<BeforeHooks["bookingCreate"]>, classify: ErrorClassifier) =>
  (draft: BookingRecord, current: Current) => {
    const { end, failed, tx } = makeHookTransaction(classify, current)
    // If a statement failed, report its error instead of the host function's, because the statement's error can be a
    // conflict, which a retry resolves.
    const stands = Effect.suspend(() => {
      if (current.broken === undefined) return Effect.void
      const statement = failed()
      return Effect.die(statement === undefined ? current.broken : new HostFunctionError(part, statement.cause))
    })
    return Effect.tryPromise({
      try: async () => {
        const answer = await rule(bookingView(draft), tx)
        // Treat a returned refusal like a thrown one.
        if (answer instanceof HookRefusal) throw answer
      },
      catch: (error) =>
        error instanceof HookRefusal
          ? hostConflict(error.code, error.message)
          : new HookDefect({ defect: new HostFunctionError(part, error) })
    }).pipe(
      // Make the call interruptible. Bookings are written in an uninterruptible region, where the timeout would have no
      // effect.
      Effect.interruptible,
      Effect.timeoutFail({ duration: hookTimeoutMs, onTimeout: tooSlow }),
      Effect.ensuring(end),
      Effect.catchTag("HookDefect", (defect) => Effect.zipRight(stands, defect)),
      Effect.zipLeft(stands)
    )
  }

const part = "before.bookingCreate"

const tooSlow = () =>
  unavailable(`${part} did not respond within ${hookTimeoutMs / 1000} seconds, so nothing was booked.`)

type Values = NonNullable<Parameters<BookingTransaction["query"]>[1]>

/** A host function's transaction handle. */
interface HookTransaction {
  readonly tx: BookingTransaction
  /**
   * Rejects further statements. Waits for the statements that the function did not await, because they are part of the
   * transaction.
   */
  readonly end: Effect.Effect<void>
  /** Returns the driver's error for the host function's first failed statement. */
  readonly failed: () => { readonly cause: unknown } | undefined
}

export const makeHookTransaction = (classify: ErrorClassifier, current: Current): HookTransaction => {
  let isOver = false
  let failure: { readonly cause: unknown } | undefined
  const underWay = new Set<Promise<unknown>>()
  const run = async (text: string, values: Values): ReturnType<BookingTransaction["query"]> => {
    const exit = await Effect.runPromiseExit(runHostStatement(classify, current, text, checkValues(values)))
    if (Exit.isSuccess(exit)) return exit.value as Awaited<ReturnType<BookingTransaction["query"]>>
    const defect = Cause.squash(exit.cause)
    if (!(defect instanceof StatementFailed)) throw defect
    // A statement that Trailbook itself has pipelined can also fail here.
    if (defect.text === text) failure ??= { cause: defect.cause }
    // Throw the driver's error, because host functions check its error code.
    throw defect.cause
  }
  const query: BookingTransaction["query"] = async (text, values = []) => {
    if (isOver) {
      throw new Error(
        "tx: the transaction can no longer be used, because the function that received it has returned or timed out"
      )
    }
    if (steers.test(text)) throw new TypeError("tx: only Trailbook can start or end this transaction")
    const answer = run(text, values)
    underWay.add(answer)
    return answer.finally(() => underWay.delete(answer))
  }
  return {
    tx: { query },
    failed: () => failure,
    end: Effect.promise(() => {
      isOver = true
      return Promise.allSettled(underWay)
    })
  }
}

/**
 * Matches statements that control the transaction. A commit here, for example, would leave a booking without its
 * events.
 */
const steers =
  /^(?:\s|;|--.*\n|\/\*(?:(?!\*\/)[^])*\*\/)*(?:begin|start|commit|end|rollback|abort|savepoint|release|prepare)(?![\w$])/i

/** Checks that values are null, strings, or numbers, because each driver converts other types differently. */
const checkValues = (values: Values): Values => {
  const odd = values.findIndex((value) => value !== null && typeof value !== "string" && typeof value !== "number")
  if (odd === -1) return values
  throw new TypeError(`tx: $${odd + 1} must be a string, a number, or null`)
}
