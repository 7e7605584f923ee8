/**
 * Measures the time from the start of the built program to its first response. Covers `trailbook demo` in an empty
 * folder, which includes creating the outfitter, and `trailbook serve` with that outfitter. Also measures the memory of
 * `serve` after the first response, and again after a minute without requests, once V8 has released the memory used at
 * startup. The floor is a bare server without data.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { residentMegabytes } from "./processes.ts"
import { floorLines, type Line, median } from "./report.ts"

const cli = join(import.meta.dirname, "../packages/cli/bin/trailbook.js")

const demo = ["demo"]
const serve = ["serve", "--database", "sqlite:.trailbook/demo.sqlite"]

interface Start {
  readonly ms: number
  readonly megabytes: number | undefined
  readonly idleMegabytes?: number | undefined
}

const measureFirstResponse = async (
  folder: string,
  command: ReadonlyArray<string>,
  idleSeconds = 0
): Promise<Start> => {
  const startedAt = performance.now()
  const server = spawn(process.execPath, [cli, ...command, "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"]
  })
  let printed = ""
  server.stdout.setEncoding("utf8")
  for await (const text of server.stdout) {
    printed += text
    if (/ready at \S+\s/.test(printed)) break
  }
  const url = /ready at (\S+)\s/.exec(printed)?.[1] ?? ""
  const { api_key } = JSON.parse(await readFile(join(folder, ".trailbook/demo.json"), "utf8"))
  const answer = await fetch(`${url}/offerings`, { headers: { authorization: `Bearer ${api_key}` } })
  await answer.json()
  const ms = performance.now() - startedAt
  const readMemory = async () => server.pid === undefined ? undefined : residentMegabytes(server.pid)
  const megabytes = await readMemory()
  await setTimeout(idleSeconds * 1000)
  const idleMegabytes = await readMemory()
  server.kill("SIGTERM")
  await once(server, "exit")
  return { ms, megabytes, idleMegabytes }
}

const bareName = "a bare Hono server with SQLite"

/** A program with the same HTTP server, router, and driver that responds to every request with an empty object. */
const bareServer = `
  import { serve } from "@hono/node-server"
  import BetterSqlite3 from "better-sqlite3"
  import { Hono } from "hono"
  new BetterSqlite3(":memory:")
  const app = new Hono().get("/", (c) => c.json({}))
  serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(port))
`

const measureBareResponse = async (): Promise<Start> => {
  const startedAt = performance.now()
  const server = spawn(process.execPath, ["--input-type=module", "--eval", bareServer], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "ignore"]
  })
  const [port] = await once(server.stdout, "data")
  const answer = await fetch(`http://127.0.0.1:${String(port).trim()}/`)
  await answer.json()
  const ms = performance.now() - startedAt
  const megabytes = server.pid === undefined ? undefined : await residentMegabytes(server.pid)
  server.kill("SIGKILL")
  await once(server, "exit")
  return { ms, megabytes }
}

export const measureStarts = async (folders: ReadonlyArray<string>): Promise<ReadonlyArray<Line>> => {
  const first = []
  const second = []
  const bareStarts: Array<Start> = []
  for (const folder of folders) {
    first.push(await measureFirstResponse(folder, demo))
    second.push(await measureFirstResponse(folder, serve, 60))
    bareStarts.push(await measureBareResponse())
  }
  const empty = median(first.map(({ ms }) => ms))
  const medianMs = (answers: ReadonlyArray<Start>) => median(answers.map(({ ms }) => ms))
  const medianDefined = (values: ReadonlyArray<number | undefined>) =>
    median(values.filter((value) => value !== undefined))
  const medianMegabytes = (answers: ReadonlyArray<Start>) => medianDefined(answers.map(({ megabytes }) => megabytes))
  const idle = medianDefined(second.map(({ idleMegabytes }) => idleMegabytes))
  return [
    {
      what: "time until the first response of `trailbook demo` in an empty folder",
      figure: `${empty.toFixed(0)} ms`,
      promise: { text: "within 3 seconds", kept: empty <= 3000 }
    },
    {
      what: "time until the first response of `trailbook serve` with existing data",
      figure: `${medianMs(second).toFixed(0)} ms`,
      target: "within 0.8 seconds"
    },
    ...floorLines(
      "time until the first response of `trailbook serve`",
      `time until the first response of ${bareName}`,
      `${medianMs(bareStarts).toFixed(0)} ms`,
      medianMs(second) / medianMs(bareStarts)
    ),
    {
      what: "memory of `trailbook serve` after the first response",
      figure: `${medianMegabytes(second).toFixed(0)} MB`,
      target: "at most 120 MB"
    },
    {
      what: "memory of `trailbook serve` after a minute without requests",
      figure: `${idle.toFixed(0)} MB`,
      target: "at most 120 MB"
    },
    ...floorLines(
      "memory of `trailbook serve` after the first response",
      `memory of ${bareName} after the first response`,
      `${medianMegabytes(bareStarts).toFixed(0)} MB`,
      medianMegabytes(second) / medianMegabytes(bareStarts)
    )
  ]
}
