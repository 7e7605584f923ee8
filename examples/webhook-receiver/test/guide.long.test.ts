/** Follows the guide on a real machine: a server, an endpoint, the receiver, a test, a booking, and a replay. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { afterEach, assert, beforeEach, it } from "vitest"

const root = join(import.meta.dirname, "../../..")
const guide = readFileSync(join(root, "docs/how-to/receive-webhooks.md"), "utf8")
const blocks = Array.from(guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, text = ""]) => text.trim())
const node = `"${process.execPath}" --conditions=@trailbook/source --import "${
  createRequire(import.meta.url).resolve("tsx")
}"`
const cli = `${node} "${join(root, "packages/cli/src/cli.ts")}"`

let folder = ""
let children: ReadonlyArray<ChildProcess> = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trailbook-webhooks-"))
})
afterEach(async () => {
  for (const child of children) {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  }
  children = []
  await rm(folder, { recursive: true })
})

/** Runs a command from the guide in this folder with the local programs. */
const script = (command: string): ReadonlyArray<string> => [
  "-euc",
  command.replaceAll("npx trailbook", cli).replace(
    /node .*(examples\/\S+)/,
    (_all, path) => `${node} "${join(root, path)}"`
  )
]
const run = async (command: string, env: Record<string, string> = {}): Promise<string> =>
  (await promisify(execFile)("bash", script(command), { cwd: folder, env: { ...process.env, ...env } })).stdout

/** Starts a long-running command and returns its output, line by line. */
const start = (command: string, env: Record<string, string> = {}): AsyncIterator<string> => {
  const child = spawn("bash", script(command.replace(/(npx|node) /, "exec $1 ")), {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"]
  })
  children = [...children, child]
  return createInterface(child.stdout)[Symbol.asyncIterator]()
}
const until = async (lines: AsyncIterator<string>, pattern: RegExp): Promise<string> => {
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    const [match] = pattern.exec(line.value) ?? []
    if (match !== undefined) return match
  }
  throw new Error(`No line of the output matches ${String(pattern)}.`)
}

/** Returns a port that was free a moment ago. The endpoint needs a URL before the receiver can get the secret. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

it("every command in the guide produces the result that the guide describes", async () => {
  const [create = "", serve = "", receive = "", look = "", replay = "", ...moreBlocks] = blocks
  assert.deepStrictEqual(moreBlocks, [])
  const [list = "", test = ""] = look.split("\n")
  const port = await freePort()

  const output = await run(
    "npx trailbook org create --database sqlite:trailbook.sqlite --name 'Your Outfitter' --timezone America/Denver --json"
  )
  const AUTH = `Authorization: Bearer ${JSON.parse(output).api_key}`
  const api = await until(start(`${serve} --port 0`), /http:[^\s"]+\/v1/)

  const local = create.replace("https://hooks.example.com", `http://127.0.0.1:${port}`)
  const endpoint = JSON.parse(await run(local, { AUTH, URL: api }))
  assert.match(endpoint.secret, /^whsec_\w{44}$/)
  const board = start(receive.replace("5000", String(port)), { SECRET: endpoint.secret })
  await until(board, /http:\S+/)

  assert.include(await run(list), endpoint.id)
  assert.match(await run(test, { ENDPOINT: endpoint.id }), /responded with 204 after \d+ ms/)
  assert.strictEqual(await until(board, /^\[.*\]$/), "[]")

  const post = async (path: string, body: object) => {
    const headers = { Authorization: AUTH.slice(15), "Content-Type": "application/json" }
    const response = await fetch(`${api}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    return response.json()
  }
  const offering = await post("/offerings", { kind: "class", name: "Half Day", duration_minutes: 240, capacity: 12 })
  const startsAt = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const { data: [session] } = await post("/sessions", { offering_id: offering.id, starts_at: startsAt })
  const guest = { email: "mara@example.com", name: "Mara Quinn" }
  await post("/bookings", { offering_id: offering.id, session_id: session.id, customer: guest })
  assert.strictEqual(JSON.parse(await until(board, /^\[\{.*\]$/))[0].name, "Mara Quinn")

  assert.include(await run(replay, { ENDPOINT: endpoint.id, LAST: "1" }), "restart at event 1")
}, 90_000)
