import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import { sample } from "../../../test/runs.ts"
import { folder } from "../../cli/test/program.ts"

const module = pathToFileURL(join(import.meta.dirname, "../dist/runUntilSignal.js")).href
const server = pathToFileURL(join(import.meta.dirname, "../dist/runServer.js")).href
const reader = pathToFileURL(join(import.meta.dirname, "../dist/setting/readSettings.js")).href

it.each(sample(["throw new Error(\"oops\")", "void Promise.reject(new Error(\"oops\"))"], 2))(
  "the server logs an uncaught error (%s) as JSON and exits",
  async (accident) => {
    const program = `
      import { readSettings } from ${JSON.stringify(reader)}
      import { runServer } from ${JSON.stringify(server)}
      import { runUntilSignal } from ${JSON.stringify(module)}
      const { values } = readSettings("serve", new Map([["database", "sqlite:a.sqlite"], ["port", "0"]]), {})
      await runUntilSignal((log) => runServer({ ...values, log }), () => setImmediate(() => { ${accident} }))
    `
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      cwd: folder(),
      stdio: ["ignore", "inherit", "pipe"]
    })
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text)
    const [code] = await once(child, "close")
    expect(code).toBe(1)
    const [line = "", ...otherLines] = stderr.trim().split("\n")
    expect(otherLines).toEqual([])
    expect(JSON.parse(line)).toMatchObject({ level: "error", error: expect.stringContaining("oops") })
  }
)
