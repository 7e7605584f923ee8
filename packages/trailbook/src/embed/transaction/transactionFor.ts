import { StatementFailed } from "@trailbook/sql/DatabaseUnavailable"
import { type ClassifyError, foreignIn, type Transaction as Current } from "@trailbook/sql/transaction"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Transaction } from "../hook/Before.ts"

type Values = NonNullable<Parameters<Transaction["query"]>[1]>

/** A host function's transaction handle. */
export interface HostHandle {
  readonly tx: Transaction
  /**
   * Rejects further statements. Waits for the statements that the function did not await, because they are part of the
   * transaction.
   */
  readonly end: Effect.Effect<void>
  /** Returns the driver's error for the host function's first failed statement. */
  readonly failed: () => { readonly cause: unknown } | undefined
}

export const transactionFor = (classify: ClassifyError, current: Current): HostHandle => {
  let isOver = false
  let failure: { readonly cause: unknown } | undefined
  const underWay = new Set<Promise<unknown>>()
  const run = async (text: string, values: Values): ReturnType<Transaction["query"]> => {
    const exit = await Effect.runPromiseExit(foreignIn(classify, current, text, checkValues(values)))
    if (Exit.isSuccess(exit)) return exit.value as Awaited<ReturnType<Transaction["query"]>>
    const defect = Cause.squash(exit.cause)
    if (!(defect instanceof StatementFailed)) throw defect
    // A statement that Trailbook itself has pipelined can also fail here.
    if (defect.text === text) failure ??= { cause: defect.cause }
    // Throw the driver's error, because host functions check its error code.
    throw defect.cause
  }
  const query: Transaction["query"] = async (text, values = []) => {
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
