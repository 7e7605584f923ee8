#!/usr/bin/env node
// Runs the command line of @trailbook/cli: the installed one, or the same version through npm.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import process from "node:process"

const require = createRequire(import.meta.url)

const findInstalled = () => {
  try {
    return new URL("bin/trailbook.js", import.meta.resolve("@trailbook/cli/package.json")).href
  } catch {
    return undefined
  }
}

const installed = findInstalled()
if (installed !== undefined) await import(installed)
else {
  const { version } = require("../package.json")
  const args = ["exec", "--yes", `--package=@trailbook/cli@${version}`, "--", "trailbook", ...process.argv.slice(2)]
  const child = spawn("npm", args, { stdio: "inherit", shell: process.platform === "win32" })
  // A terminal sends SIGINT to the child too. The child ends this process.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => child.kill("SIGTERM"))
  child.on("exit", (code) => process.exit(code ?? 1))
}
