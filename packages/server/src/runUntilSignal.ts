import * as JsonLog from "@trailbook/runtime/JsonLog"
import { type LineWriter, makeLineWriter } from "@trailbook/runtime/LineWriter"
import type { DatabaseOpenError } from "@trailbook/runtime/loadAdapter"
import type { OperatorError } from "@trailbook/runtime/OperatorError"
import { type LogFormat, makeReadableLog } from "@trailbook/runtime/readableLog"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type * as Scope from "effect/Scope"
import { constants } from "node:os"
import process from "node:process"
import { toThrownError } from "./runProgram.ts"
import type { UsageError } from "./setting/UsageError.ts"

/**
 * Runs a server or worker as this process, with its log on stderr. The first SIGTERM or Ctrl-C shuts it down
 * gracefully, and a second signal makes it exit immediately. An uncaught error is logged, and the process exits with 1
 * because its state is unknown.
 */
export const runUntilSignal = async <A>(
  start: (log: LineWriter) => Effect.Effect<A, OperatorError | UsageError | DatabaseOpenError, Scope.Scope>,
  onReady: (result: A) => void,
  format: LogFormat
): Promise<0> => {
  await runToCompletion(
    (log) =>
      start(log).pipe(
        Effect.tap((result) => Effect.sync(() => onReady(result))),
        Effect.zipRight(Effect.never)
      ),
    format
  )
  return 0
}

/** Runs a finite effect as this process. Returns whether it completed, or false if a signal interrupted it. */
export const runToCompletion = async (
  work: (log: LineWriter) => Effect.Effect<void, OperatorError | UsageError | DatabaseOpenError, Scope.Scope>,
  format: LogFormat = "auto"
): Promise<boolean> => {
  const log = makeReadableLog(makeLineWriter((text) => process.stderr.write(text)), format, process.stderr)
  process.on("exit", log.flush)
  process.on("uncaughtException", (error) => abort(log, error))

  const fiber = Effect.runFork(Effect.scoped(work(log)))
  let signals = 0
  const onSignal = (signal: "SIGINT" | "SIGTERM"): void => {
    if (++signals > 1) process.exit(128 + constants.signals[signal])
    fiber.unsafeInterruptAsFork(FiberId.none)
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)

  const exit = await Effect.runPromise(Fiber.await(fiber))
  process.off("SIGINT", onSignal)
  process.off("SIGTERM", onSignal)
  log.flush()
  if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) throw toThrownError(exit.cause)
  return Exit.isSuccess(exit)
}

const abort = (log: LineWriter, error: unknown): void => {
  const text = error instanceof Error ? error.stack ?? error.message : String(error)
  log.write(JsonLog.formatEntry(new Date(), "error", "Uncaught error", { error: text }))
  process.exit(1)
}
