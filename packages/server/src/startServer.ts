import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { toThrownError } from "./runProgram.ts"
import { type RunningServer, runServer, type ServerOptions } from "./runServer.ts"
import { readSettings } from "./setting/readSettings.ts"

/**
 * Starts a server in this process, for programs without Effect. It installs no signal handlers and reads no environment
 * variables. Options default to the command-line defaults, but nothing is logged unless `log` is set.
 *
 * @example
 * const server = await startServer({ database: { _tag: "Sqlite", file: "trailbook.sqlite" }, port: 0 })
 * await fetch(`${server.baseUrl}/offerings`, { headers: { authorization: `Bearer ${key}` } })
 * await server.stop()
 */
export const startServer = async (
  options: Partial<ServerOptions> & Pick<ServerOptions, "database">
): Promise<RunningServer & { readonly stop: () => Promise<void> }> => {
  const { json: _json, logFormat: _format, ...defaults } = readSettings("serve", new Map(), {}).values
  const scope = Effect.runSync(Scope.make())
  const silent = { write: () => {}, flush: () => {} }
  const exit = await Effect.runPromiseExit(Scope.extend(runServer({ ...defaults, log: silent, ...options }), scope))
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  if (Exit.isSuccess(exit)) return { ...exit.value, stop }
  await stop()
  throw toThrownError(exit.cause)
}
