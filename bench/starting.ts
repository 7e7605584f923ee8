/**
 * Measures the time from the start of the built program to its first response, with existing data and with an empty
 * folder, which includes creating the outfitter. Also measures its idle memory after the first response.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { residentMegabytes } from "./processes.ts"
import { type Line, median } from "./report.ts"

const cli = join(import.meta.dirname, "../packages/trailbook/bin/trailbook.js")

const firstAnswer = async (folder: string): Promise<{ ms: number; megabytes: number | undefined }> => {
  const started = performance.now()
  const server = spawn(process.execPath, [cli, "demo", "--port", "0"], {
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
  const ms = performance.now() - started
  const megabytes = server.pid === undefined ? undefined : await residentMegabytes(server.pid)
  server.kill("SIGTERM")
  await once(server, "exit")
  return { ms, megabytes }
}

export const starting = async (folders: ReadonlyArray<string>): Promise<ReadonlyArray<Line>> => {
  const first = []
  const second = []
  for (const folder of folders) {
    first.push(await firstAnswer(folder))
    second.push(await firstAnswer(folder))
  }
  const empty = median(first.map(({ ms }) => ms))
  const megabytes = second.flatMap(({ megabytes }) => megabytes === undefined ? [] : [megabytes])
  return [
    {
      what: "first response of `trailbook demo`, empty folder",
      figure: `${empty.toFixed(0)} ms`,
      promise: { text: "within 3 seconds", kept: empty <= 3000 }
    },
    { what: "first response, existing data", figure: `${median(second.map(({ ms }) => ms)).toFixed(0)} ms` },
    { what: "memory after the first response", figure: `${median(megabytes).toFixed(0)} MB` }
  ]
}
