import type { Refusal } from "@trailbook/core"
import * as JsonLog from "@trailbook/runtime/JsonLog"
import type { DatabaseOpenError } from "@trailbook/runtime/loadAdapter"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { makeReadableLog } from "@trailbook/runtime/readableLog"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import process from "node:process"
import { UsageError } from "./setting/UsageError.ts"

/**
 * Runs a command's program. Throws a `OperatorError` for errors that a user can fix, and rethrows defects unchanged.
 */
export const runProgram = async <A>(
  program: Effect.Effect<A, OperatorError | UsageError | Refusal | DatabaseOpenError>
): Promise<A> => {
  const exit = await Effect.runPromiseExit(Effect.provide(program, warnings))
  if (Exit.isSuccess(exit)) return exit.value
  throw toThrownError(exit.cause)
}

/** Converts a cause to the error to throw. */
export const toThrownError = (
  cause: Cause.Cause<OperatorError | UsageError | Refusal | DatabaseOpenError>
): unknown => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (failure !== undefined) {
    return failure instanceof OperatorError || failure instanceof UsageError
      ? failure
      : new OperatorError(failure.message, failure._tag === "Refusal" ? undefined : failure.fix)
  }
  const unavailable = Chunk.findFirst(Cause.defects(cause), (defect) => defect instanceof DatabaseUnavailable)
  return Option.isSome(unavailable)
    ? new OperatorError(
      unavailable.value.message,
      "Retry when the database is reachable, has free space, and is not locked by another process."
    )
    : Cause.squash(cause)
}

// Write logs to stderr, because stdout is reserved for the command's result. Effect's default logger writes to stdout.
const warnings = JsonLog.layer(
  makeReadableLog({ write: (line) => process.stderr.write(`${line}\n`), flush: () => {} }, "auto", process.stderr),
  "warn"
)
