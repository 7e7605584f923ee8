/**
 * Runs the CLI the way a user does: in its own folder and without the developer's settings. Commands that exit run in
 * the test's process, which is much faster than starting a program for each. Servers, and tests of the program itself,
 * start the built program.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished, vi } from "vitest"
import { main } from "../src/command/main.ts"

const cli = join(import.meta.dirname, "../bin/trailbook.js")

/** Creates a temporary folder and removes it after the test. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "trailbook-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

interface Options {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

const environment = (env: Options["env"]) => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TRAILBOOK_|npm_|DATABASE_URL$|PORT$)/.test(name))
  return { ...Object.fromEntries(inherited), ...env }
}

const start = (args: ReadonlyArray<string>, { cwd, env }: Options) => {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => output.stdout += text)
  child.stderr.setEncoding("utf8").on("data", (text: string) => output.stderr += text)
  const ended = once(child, "close").then(([code]: Array<unknown>) => code)
  return { child, output, ended }
}

/** Runs the built program until it exits. */
export const program = async (args: ReadonlyArray<string>, options: Options) => {
  const { ended, output } = start(args, options)
  const code = await ended
  return { code, ...output }
}

const runInProcess = async (args: ReadonlyArray<string>, { cwd, env }: Options) => {
  const output = { stdout: "", stderr: "" }
  const before = { cwd: process.cwd(), umask: process.umask() }
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += typeof text === "string" ? text : Buffer.from(text).toString("utf8")
      return true
    })
  )
  process.chdir(cwd)
  process.umask(before.umask | 0o007)
  try {
    const code = await main(args, environment(env))
    return { code, ...output }
  } finally {
    process.umask(before.umask)
    process.chdir(before.cwd)
    for (const spy of spies) spy.mockRestore()
  }
}

/** Commands that listen for signals sent to their process. */
const servers: ReadonlySet<string | undefined> = new Set(["demo", "serve", "worker"])

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command until it exits. Commands that are started concurrently in the test's process run one at a time,
 * because a process has only one working directory.
 */
export const trailbook = (args: ReadonlyArray<string>, options: Options): ReturnType<typeof program> => {
  if (servers.has(args[0])) return program(args, options)
  const result = last.then(() => runInProcess(args, options))
  last = result.catch(() => undefined)
  return result
}

/** Runs a command with `--json` and returns its output. Throws if the command fails. */
export const answer = async (args: ReadonlyArray<string>, options: Options): Promise<Record<string, unknown>> => {
  const { code, stderr, stdout } = await trailbook([...args, "--json"], options)
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${String(code)}: ${stderr}`)
  const value: unknown = JSON.parse(stdout)
  if (typeof value !== "object" || value === null) throw new Error(`${args.join(" ")} answered ${stdout}`)
  return value as Record<string, unknown>
}

export const database = ["--database", "sqlite:a.sqlite"]

export const org = ["org", "create", ...database, "--name", "Salida River Co.", "--timezone", "America/Denver"]

const madeOnce = async () => {
  const cwd = mkdtempSync(join(tmpdir(), "trailbook-"))
  try {
    const created = await answer(org, { cwd })
    const files = readdirSync(cwd).map((name) => {
      const path = join(cwd, name)
      return { name, bytes: readFileSync(path), mode: statSync(path).mode }
    })
    return { created, files }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

let template: ReturnType<typeof madeOnce> | undefined

/**
 * Copies the files of a single `org create` run into the folder and returns its output. Copying is faster than starting
 * a process.
 */
export const outfitter = async (cwd: string): Promise<Record<string, unknown>> => {
  template ??= madeOnce()
  const { created, files } = await template
  for (const { bytes, mode, name } of files) writeFileSync(join(cwd, name), bytes, { mode })
  return created
}

export interface StartedCommand {
  readonly child: ChildProcess
  readonly output: { readonly stdout: string; readonly stderr: string }
  /** Resolves with the exit code. */
  readonly ended: Promise<unknown>
}

export interface StartedServer extends StartedCommand {
  readonly baseUrl: string
}

/** Starts a long-running command and waits for its first line. The process is killed after the test. */
export const startCommand = async (args: ReadonlyArray<string>, options: Options): Promise<StartedCommand> => {
  const { child, ended, output } = start(args, options)
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended
  })
  await Promise.race([
    ended,
    new Promise<void>((ready) => child.stdout.on("data", () => output.stdout.includes("\n") && ready()))
  ])
  return { child, output, ended }
}

/** Starts a server and waits until it is ready. The server is killed after the test. */
export const startServer = async (args: ReadonlyArray<string>, options: Options): Promise<StartedServer> => {
  const { child, ended, output } = await startCommand(args, options)
  const baseUrl = /http:\/\/[^\s"]+\/v1/.exec(output.stdout)?.[0]
  if (baseUrl === undefined) throw new Error(`It did not get ready: ${output.stdout}${output.stderr}`)
  return { child, baseUrl, output, ended }
}

/** Sends a request with a key and returns the response's status and JSON. */
export const request = async (url: string, key: unknown, init: RequestInit = {}) => {
  const response = await fetch(url, {
    ...init,
    headers: {
      authorization: `Bearer ${String(key)}`,
      ...(init.body === undefined ? {} : { "content-type": "application/json" })
    }
  })
  return { status: response.status, body: await response.json() as Answer }
}

/** The fields that the tests read from a JSON response. */
export interface Answer {
  readonly [field: string]: unknown
  readonly data?: ReadonlyArray<Record<string, unknown>>
}
