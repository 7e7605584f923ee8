/** Runs the blocks about the demo's test checkout on the payments page, in one shell. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import { readPage, root } from "./Page.ts"
import { assertShows } from "./shows.ts"

const page = readPage("docs/how-to/take-payments.md")
const [start, ...steps] = page.blocks.filter(({ language }) => language === "sh").map(({ text }) => text)
// The first JSON block is a cancellation policy.
const [, ...expected] = page.blocks.filter(({ language }) => language === "json").map(({ text }): unknown =>
  JSON.parse(text)
)

let folder: string
let demo: ChildProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trailbook-payments-"))
})
afterAll(async () => {
  if (demo !== undefined && demo.exitCode === null) {
    demo.kill("SIGTERM")
    await once(demo, "exit")
  }
  await rm(folder, { recursive: true })
})

const startServer = async (): Promise<string> => {
  const command = (start ?? "").trim().replace("npx trailbook", `exec ${root}/node_modules/.bin/trailbook`)
  const child = spawn("bash", ["-c", command.replace("--port 4000", "--port 0")], { cwd: folder })
  demo = child
  let output = ""
  for await (const text of child.stdout.setEncoding("utf8")) {
    output += String(text)
    const [address] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(output) ?? []
    if (address !== undefined) return address
  }
  throw new Error(output)
}

it("the documented steps take a payment with the test checkout and refund it", async () => {
  const url = await startServer()
  assert.lengthOf(steps, 3)
  const mark = "--- next ---"
  const script = steps.map((step) => step.replaceAll("http://127.0.0.1:4000/v1", url)).join(`\necho; echo '${mark}'\n`)
  const { status, stderr, stdout } = spawnSync("bash", ["-euo", "pipefail", "-c", script], {
    cwd: folder,
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stdout + stderr)
  const answers = stdout.split(mark).map((text): unknown => JSON.parse(text.trim().split("\n").at(-1) ?? ""))
  assert.lengthOf(answers, expected.length)
  answers.forEach((answer, at) => assertShows(expected[at], answer, `step ${at + 1}`))
})
