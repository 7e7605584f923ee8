/**
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import { constants } from "node:os"
import process from "node:process"
import * as JsonLog from "../runtime/JsonLog.ts"
import { type LineWriter, lineWriter } from "../runtime/LineWriter.ts"
import { thrown } from "../runtime/runProgram.ts"
import { type RunningServer, runServer, type ServerOptions } from "./runServer.ts"

/**
 * Runs a server as the whole of this process, with its log on stderr. The first
 * SIGTERM or Ctrl-C lets it come to its end, the second ends it at once. An
 * error that nobody caught is logged and ends the process with 1: what state it
 * left is not known.
 *
 * @since 0.1.0
 * @category running
 */
export const untilSignal = async (
  options: Omit<ServerOptions, "log">,
  onReady: (server: RunningServer) => void
): Promise<0> => {
  const log = lineWriter((text) => process.stderr.write(text))
  process.on("exit", log.flush)
  process.on("uncaughtException", (error) => abort(log, error))

  const fiber = Effect.runFork(
    runServer({ ...options, log }).pipe(
      Effect.tap((server) => Effect.sync(() => onReady(server))),
      Effect.zipRight(Effect.never),
      Effect.scoped
    )
  )
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
  if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) throw thrown(exit.cause)
  return 0
}

const abort = (log: LineWriter, error: unknown): void => {
  const said = error instanceof Error ? error.stack ?? error.message : String(error)
  log.write(JsonLog.entry(new Date(), "error", "An error was not caught.", { error: said }))
  process.exit(1)
}
