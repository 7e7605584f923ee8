/** Runs `trailbook serve` and `trailbook worker` as child processes that the tests can kill. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { promisify } from "node:util"
import { clockOff } from "./clockOff.ts"
import { whenKilled } from "./whenKilled.ts"

const cli = join(import.meta.dirname, "../../packages/cli/bin/trailbook.js")

/** The encryption key that webhooks require on Postgres. */
const secretsKeys = `k1:${Buffer.alloc(32, 7).toString("base64")}`

export interface Process {
  readonly pid: number
  readonly isRunning: () => boolean
  readonly signal: (signal: NodeJS.Signals) => void
  /** Resolves when the process has exited. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
  /** Resolves with the exit code, or null if a signal killed the process. */
  readonly ended: Promise<number | null>
  /** Returns the last 4,000 characters of stderr. */
  readonly log: () => string
}

export interface ServerProcess extends Process {
  /** The API's root URL. */
  readonly url: string
}

export interface ServerOptions {
  /** `off` runs no background jobs in this server. */
  readonly worker?: "on" | "off"
  /** Default: a free port. */
  readonly port?: number
  /** How long the server keeps serving after SIGTERM. */
  readonly delaySeconds?: number
  /** How long running requests have to finish after SIGTERM. */
  readonly graceSeconds?: number
  /** The server's clock offset. */
  readonly clockOffMillis?: number
  /** Requests per second per key. Default: 0, no limit. */
  readonly rateLimit?: number
  /** Additional environment variables for the process. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts a server. Resolves when the server prints its ready line. */
export const startServer = async (
  database: string,
  folder: string,
  {
    clockOffMillis = 0,
    delaySeconds = 0,
    environment: baseEnvironment = {},
    graceSeconds = 10,
    port = 0,
    rateLimit = 0,
    worker = "on"
  }: ServerOptions = {}
): Promise<ServerProcess> => {
  const grace = ["--shutdown-grace-seconds", String(graceSeconds), "--shutdown-delay-seconds", String(delaySeconds)]
  const options = ["--port", String(port), "--rate-limit", String(rateLimit), "--worker", worker, ...grace]
  const args = ["serve", "--database", database, ...options]
  const environment = { ...baseEnvironment, ...(clockOffMillis === 0 ? {} : clockOff(clockOffMillis)) }
  const { process, address } = await start(args, folder, /ready at (\S+)\s/, environment)
  return { ...process, url: address }
}

/** Starts a separate worker process for background jobs. Resolves when the worker prints its ready line. */
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
  const exit = once(child, "exit")
  void exit.then(whenKilled("kill -9 \"$1\"", String(child.pid)))
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4000)
  })
  const address = await waitUntilReady(child, isReady, () => log)
  const childProcess: Process = {
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: (signal) => void child.kill(signal),
    kill: async (signal = "SIGKILL") => {
      child.kill(signal)
      await exit
    },
    ended: exit.then(([code]: Array<unknown>) => typeof code === "number" ? code : null),
    log: () => log
  }
  return { process: childProcess, address }
}

const waitUntilReady = async (child: ChildProcess, isReady: RegExp, log: () => string): Promise<string> => {
  let printed = ""
  for await (const text of child.stdout ?? []) {
    printed += String(text)
    const address = isReady.exec(printed)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`The process exited before it was ready: ${printed}${log()}`)
}

/** Creates an org with `trailbook org create` and additional options. */
export const createOrg = async (
  database: string,
  extraOptions: ReadonlyArray<string> = []
): Promise<{ readonly orgId: string; readonly key: string }> => {
  const orgOptions = ["--name", "Salida River Co.", "--timezone", "America/Denver"]
  const options = ["--database", database, ...orgOptions, ...extraOptions, "--json"]
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "org", "create", ...options])
  const { api_key, org_id } = JSON.parse(stdout)
  return { orgId: org_id, key: api_key }
}
