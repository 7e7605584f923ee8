/**
 * The official conformance suite of the Model Context Protocol, for the two
 * revisions that matter, against the server as it is and against the fixture; and
 * against the server that hands out tokens, at the root and below a path.
 *
 *   npm run test:conformance
 *
 * The suite wants Node 22, which npx borrows for it. What is expected to fail
 * stands with its reason in the files beside this one, and must fail: an entry
 * that passes ends the run, too.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Authorization from "./authorization.ts"
import { assistant } from "./fixture.ts"
import { start } from "./servers.ts"

const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
const revisions = ["2025-11-25", "2026-07-28"]

/** Elsewhere and without our own settings: by those npm refuses what this Node is too old for, although another runs it. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")))

/** The suite with these arguments; `listen` follows what it prints. */
const suiteWith = async (asked: ReadonlyArray<string>, listen?: Authorization.Authorization["answer"]) => {
  const borrowed = ["-y", "-p", "node@22", "-p", suite, "conformance"]
  const child = spawn("npx", [...borrowed, ...asked], { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => said += text)
  listen?.(child.stdout)
  const [code] = await once(child, "close")
  return { isGood: code === 0, said }
}

const run = async (name: string, url: string, revision: string): Promise<boolean> => {
  process.stdout.write(`\n${name}, ${revision}\n`)
  const baseline = join(import.meta.dirname, `${name}.${revision}.yml`)
  const asked = ["--url", `${url}/mcp`, "--requirements", revision, "--expected-failures", baseline]
  const { isGood, said } = await suiteWith(["server", ...asked])
  process.stdout.write(said.slice(Math.max(0, said.indexOf("=== SUMMARY ==="))))
  return isGood
}

const runAuthorization = async (basePath: string): Promise<boolean> => {
  process.stdout.write(`\nauthorization, below ${basePath}/\n`)
  const { answer, asked, close } = await Authorization.start(basePath)
  const { isGood, said } = await suiteWith(["authorization", ...asked], answer)
  process.stdout.write(said.slice(Math.max(0, said.indexOf("=== SUMMARY ==="))))
  await close()
  return isGood
}

let good = true
for (const [name, shown] of [["server", undefined], ["fixture", assistant]] as const) {
  const { close, url } = await start(shown)
  for (const revision of revisions) good = await run(name, url, revision) && good
  await close()
}
for (const basePath of ["", "/trips"]) good = await runAuthorization(basePath) && good
process.exitCode = good ? 0 : 1
