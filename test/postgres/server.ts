/**
 * A Postgres of one's own, on loopback, in a folder of its own under the system's temporary folder.
 *
 * It may be killed and started again on the same data. It cannot outlive the process that started it: a shell holds the
 * other end of a pipe, and when the pipe closes, whatever closed it, the shell kills the server and removes the folder.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chown, mkdtemp, open, readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { type Account, account, programs } from "./program.ts"

export interface PostgresOptions {
  /** What a crash of the machine may lose. Off is right for tests that end with the server, on for figures and for kills. */
  readonly fsync: boolean
  /** By default one that is free. It stays the same over restarts. */
  readonly port?: number
  /** Further settings, such as `{ max_connections: "300" }`. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface Postgres {
  /** Roles need no password. `postgres` is the superuser and the default. */
  readonly url: (database: string, role?: string) => string
  /** Of the postmaster that runs now. */
  readonly pid: () => number
  /** Its workers and its own processes, such as the one that writes the log. */
  readonly children: () => ReadonlyArray<number>
  /** The folder that holds the data and the log. */
  readonly folder: string
  /** Sends the signal to the postmaster and waits until it and all its children are gone. */
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
  /** Starts it again on the same data. If it runs, it is stopped first, as an operator would. Resolves when it answers. */
  readonly restart: () => Promise<void>
  /** Ends it and removes the folder. May be repeated. */
  readonly stop: () => Promise<void>
}

// A worker of a test run that was killed is told so, and would go on by itself.
process.once("disconnect", () => process.exit(1))

/** Reading the end of the pipe is the whole waiting. `ps` sees to it that a number used again is not killed. */
const keeper = `cat >/dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
case "$pid" in ''|*[!0-9]*) ;; *)
  case "$(ps -o args= -p "$pid" 2>/dev/null)" in *"$1"*) kill -QUIT "$pid"; sleep 1; kill -KILL "$pid" 2>/dev/null ;; esac ;;
esac
rm -rf "$1"`

/** As long as Postgres may take to answer, recovery after a kill included. */
const startsWithinMillis = 60_000

export const startPostgres = async (options: PostgresOptions): Promise<Postgres> => {
  const as = account()
  const folder = await mkdtemp(join(tmpdir(), "trailbook-postgres-"))
  if (as !== undefined) await chown(folder, as.uid, as.gid)
  const watch = spawn("sh", ["-c", keeper, "sh", folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] })
  watch.unref()
  const removed = once(watch, "exit")

  const data = join(folder, "data")
  const bin = await programs(as, folder)
  const port = options.port ?? await freePort()
  const flags = Object.entries({ ...settings(options), port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`
  ])
  let server: ChildProcess | undefined

  const start = async () => {
    const until = Date.now() + startsWithinMillis
    for (;;) {
      server = await launch(bin, ["-D", data, ...flags], { ...as, cwd: folder })
      if (await ready(server, data, until)) return
      // Children of a killed postmaster may hold its shared memory for a moment. They end by themselves.
      if (Date.now() > until) {
        throw new Error(`Postgres does not start:\n${await readFile(join(folder, "log"), "utf8")}`)
      }
      await sleep(50)
    }
  }
  const kill = async (signal: NodeJS.Signals) => {
    if (server === undefined || hasEnded(server)) return
    const children = childrenOf(server.pid)
    const ended = once(server, "exit")
    // Nothing else may keep the process alive until then.
    server.ref()
    server.kill(signal)
    await ended
    await gone(children)
  }
  const stop = async () => {
    await kill("SIGINT")
    watch.ref()
    watch.stdin.end()
    await removed
  }

  try {
    await initialise(bin, data, as)
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    children: () => childrenOf(server?.pid),
    folder,
    kill,
    pid: () => server?.pid ?? 0,
    restart: async () => {
      await kill("SIGINT")
      await start()
    },
    stop,
    url: (database, role = "postgres") => `postgres://${role}@127.0.0.1:${port}/${database}`
  }
}

const settings = ({ fsync, settings }: PostgresOptions): Record<string, string> => ({
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "128MB",
  timezone: "UTC",
  ...(fsync ? {} : { fsync: "off", full_page_writes: "off" }),
  ...settings
})

const initialise = (bin: string, data: string, as: Account | undefined) =>
  promisify(execFile)(
    join(bin, "initdb"),
    ["-D", data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    { ...as, cwd: join(data, "..") }
  )

const launch = async (
  bin: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string }
): Promise<ChildProcess> => {
  const log = await open(join(options.cwd, "log"), "a")
  try {
    // Detached, so that Ctrl-C in the terminal does not reach the database before the tests have ended.
    const server = spawn(join(bin, "postgres"), args, { ...options, detached: true, stdio: ["ignore", log.fd, log.fd] })
    server.unref()
    return server
  } finally {
    await log.close()
  }
}

const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null

/** Postgres says it in the file that holds its pid. A file that a killed one left names another pid. */
const ready = async (server: ChildProcess, data: string, until: number): Promise<boolean> => {
  const file = join(data, "postmaster.pid")
  for (; Date.now() < until && !hasEnded(server); await sleep(10)) {
    const lines = await linesOf(file)
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === "ready") return true
  }
  return false
}

/** None when it is not there; a server that starts may take away, at any moment, what a killed one left. */
const linesOf = async (file: string): Promise<ReadonlyArray<string>> => {
  try {
    return (await readFile(file, "utf8")).split("\n")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []
    throw error
  }
}

const childrenOf = (parent: number | undefined): ReadonlyArray<number> =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => ppid === parent && pid !== undefined ? [pid] : [])

const gone = async (pids: ReadonlyArray<number>): Promise<void> => {
  for (const pid of pids) while (exists(pid)) await sleep(5)
}

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const freePort = async (): Promise<number> => {
  const taken = createServer().listen(0, "127.0.0.1")
  await once(taken, "listening")
  const address = taken.address()
  taken.close()
  await once(taken, "close")
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port")
  return address.port
}
