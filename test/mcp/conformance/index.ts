/**
 * Runs the official conformance suite of the Model Context Protocol for two protocol revisions, against the real server
 * and against the fixture. Also runs its authorization tests, at the root and under a base path.
 *
 *   npm run test:conformance
 *
 * The suite requires Node 22, which npx installs for it. The YAML files in this folder list the expected failures with
 * their reasons. The run also fails if one of these tests passes.
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

/**
 * Removes this repository's npm settings, because they make npm refuse packages that require a newer Node version, such
 * as the suite. The suite starts in another folder for the same reason.
 */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")))

/** Runs the suite with these arguments. `listen` receives its output. */
const suiteWith = async (args: ReadonlyArray<string>, listen?: Authorization.Authorization["answer"]) => {
  const borrowed = ["-y", "-p", "node@22", "-p", suite, "conformance"]
  const child = spawn("npx", [...borrowed, ...args], { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "inherit"] })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => output += text)
  listen?.(child.stdout)
  const [code] = await once(child, "close")
  return { isGood: code === 0, output }
}

const run = async (name: string, url: string, revision: string): Promise<boolean> => {
  process.stdout.write(`\n${name}, ${revision}\n`)
  const baseline = join(import.meta.dirname, `${name}.${revision}.yml`)
  const args = ["--url", `${url}/mcp`, "--requirements", revision, "--expected-failures", baseline]
  const { isGood, output } = await suiteWith(["server", ...args])
  process.stdout.write(output.slice(Math.max(0, output.indexOf("=== SUMMARY ==="))))
  return isGood
}

const runAuthorization = async (basePath: string): Promise<boolean> => {
  process.stdout.write(`\nauthorization, below ${basePath}/\n`)
  const { answer, args, close } = await Authorization.start(basePath)
  const { isGood, output } = await suiteWith(["authorization", ...args], answer)
  process.stdout.write(output.slice(Math.max(0, output.indexOf("=== SUMMARY ==="))))
  await close()
  return isGood
}

let good = true
for (const [name, handlers] of [["server", undefined], ["fixture", assistant]] as const) {
  const { close, url } = await start(handlers)
  for (const revision of revisions) good = await run(name, url, revision) && good
  await close()
}
for (const basePath of ["", "/trips"]) good = await runAuthorization(basePath) && good
process.exitCode = good ? 0 : 1
