/**
 * The command line's own server as a process, as an operator runs it, to be killed.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { promisify } from "node:util"
import { whenKilled } from "./whenKilled.ts"

const cli = join(import.meta.dirname, "../../packages/trailbook/dist/cli.js")

export interface ServerProcess {
  /** The root of its API. */
  readonly url: string
  readonly pid: number
  readonly isRunning: () => boolean
  readonly signal: (signal: NodeJS.Signals) => void
  /** Resolves when the process is gone. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
  /** The end of what it logged. */
  readonly log: () => string
}

/** Resolves when the server says that it is ready. */
export const startServer = async (database: string, folder: string): Promise<ServerProcess> => {
  const options = ["--database", database, "--port", "0", "--rate-limit", "0", "--log-level", "warn"]
  const child = spawn(process.execPath, [cli, "serve", ...options, "--outbox", join(folder, "outbox")], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const gone = once(child, "exit")
  void gone.then(whenKilled("kill -9 \"$1\"", String(child.pid)))
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4000)
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const url = await ready(child, () => log)
  return {
    url,
    pid: child.pid ?? 0,
    isRunning,
    signal: (signal) => void child.kill(signal),
    kill: async (signal = "SIGKILL") => {
      child.kill(signal)
      await gone
    },
    log: () => log
  }
}

const ready = async (child: ChildProcess, log: () => string): Promise<string> => {
  let printed = ""
  for await (const text of child.stdout ?? []) {
    printed += String(text)
    const url = /ready at (\S+)\s/.exec(printed)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`The server ended before it was ready: ${printed}${log()}`)
}

/** Opens an account, with the command that an operator uses. */
export const createOrg = async (database: string): Promise<{ readonly orgId: string; readonly key: string }> => {
  const options = ["--database", database, "--name", "Salida River Co.", "--timezone", "America/Denver", "--json"]
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "org", "create", ...options])
  const { api_key, org_id } = JSON.parse(stdout)
  return { orgId: org_id, key: api_key }
}
