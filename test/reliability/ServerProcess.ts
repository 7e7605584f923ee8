/** The command line's own server as a process, as an operator runs it, to be killed. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { promisify } from "node:util"
import { clockOff } from "./clockOff.ts"
import { whenKilled } from "./whenKilled.ts"

const cli = join(import.meta.dirname, "../../packages/trailbook/dist/cli.js")

/** What an operator has to choose, for webhooks on Postgres. */
const secretsKeys = `k1:${Buffer.alloc(32, 7).toString("base64")}`

export interface Process {
  readonly pid: number
  readonly isRunning: () => boolean
  readonly signal: (signal: NodeJS.Signals) => void
  /** Resolves when the process is gone. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
  /** Resolves when the process has ended by itself, with the code that it ended with; null when it was killed. */
  readonly ended: Promise<number | null>
  /** The end of what it logged. */
  readonly log: () => string
}

export interface ServerProcess extends Process {
  /** The root of its API. */
  readonly url: string
}

export interface ServerOptions {
  /** Off, it does nothing by itself. */
  readonly worker?: "on" | "off"
  /** How long requests may go on after SIGTERM. */
  readonly graceSeconds?: number
  /** How wrong its clock is. */
  readonly clockOffMillis?: number
  /** Requests per second of a key. Default 0: no limit. */
  readonly rateLimit?: number
  /** Settings beside the options here, as they are set for a process. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Resolves when the server says that it is ready. */
export const startServer = async (
  database: string,
  folder: string,
  { clockOffMillis = 0, environment: given = {}, graceSeconds = 10, rateLimit = 0, worker = "on" }: ServerOptions = {}
): Promise<ServerProcess> => {
  const grace = ["--shutdown-grace-seconds", String(graceSeconds)]
  const options = ["--port", "0", "--rate-limit", String(rateLimit), "--worker", worker, ...grace]
  const args = ["serve", "--database", database, ...options]
  const environment = { ...given, ...(clockOffMillis === 0 ? {} : clockOff(clockOffMillis)) }
  const { process, said } = await start(args, folder, /ready at (\S+)\s/, environment)
  return { ...process, url: said }
}

/** One that delivers, mails and sweeps beside servers. Resolves when it says that it works. */
export const startWorker = async (
  database: string,
  folder: string,
  { environment }: Pick<ServerOptions, "environment"> = {}
): Promise<Process> =>
  (await start(["worker", "--database", database], folder, /ready on (\S+)\s/, environment)).process

const start = async (
  args: ReadonlyArray<string>,
  folder: string,
  isReady: RegExp,
  environment: Readonly<Record<string, string>> = {}
) => {
  const options = ["--log-level", "warn", "--webhook-allow", "127.0.0.0/8", "--outbox", join(folder, "outbox")]
  const child = spawn(process.execPath, [cli, ...args, ...options], {
    cwd: folder,
    env: { ...process.env, TRAILBOOK_SECRETS_KEYS: secretsKeys, ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const gone = once(child, "exit")
  void gone.then(whenKilled("kill -9 \"$1\"", String(child.pid)))
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4000)
  })
  const said = await ready(child, isReady, () => log)
  const made: Process = {
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: (signal) => void child.kill(signal),
    kill: async (signal = "SIGKILL") => {
      child.kill(signal)
      await gone
    },
    ended: gone.then(([code]: Array<unknown>) => typeof code === "number" ? code : null),
    log: () => log
  }
  return { process: made, said }
}

const ready = async (child: ChildProcess, isReady: RegExp, log: () => string): Promise<string> => {
  let printed = ""
  for await (const text of child.stdout ?? []) {
    printed += String(text)
    const said = isReady.exec(printed)?.[1]
    if (said !== undefined) return said
  }
  throw new Error(`It ended before it was ready: ${printed}${log()}`)
}

/** Opens an account, with the command that an operator uses. */
export const createOrg = async (database: string): Promise<{ readonly orgId: string; readonly key: string }> => {
  const options = ["--database", database, "--name", "Salida River Co.", "--timezone", "America/Denver", "--json"]
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "org", "create", ...options])
  const { api_key, org_id } = JSON.parse(stdout)
  return { orgId: org_id, key: api_key }
}
