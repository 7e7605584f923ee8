/** Runs the commands from the operators' Postgres guide on a server that lacks the role and the database. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { afterAll, assert, beforeAll, it } from "vitest"
import { createDatabase, type Database } from "./postgres/database.ts"

const root = join(import.meta.dirname, "..")
const page = readFileSync(join(root, "docs/how-to/run-on-postgres.md"), "utf8")
const block = (language: string): ReadonlyArray<string> =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1]?.trim().split("\n") ?? []
const cli = `"${process.execPath}" "${join(root, "packages/cli/bin/trailbook.js")}"`
// The name is unique, because other suites share the server.
const name = `trailbook_page_${process.pid}`

let database: Database
let superuser: Client
let folder: string

beforeAll(async () => {
  database = await createDatabase()
  superuser = new Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  folder = await mkdtemp(join(tmpdir(), "trailbook-postgres-"))
})
afterAll(async () => {
  await superuser.query(`drop database if exists ${name} with (force)`)
  await superuser.query(`drop role if exists ${name}`)
  await superuser.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

it("the Postgres setup creates a database and a server that responds", async () => {
  for (const statement of block("sql")) await superuser.query(statement.replaceAll("trailbook", name))

  const [address = "", keys = "", ...commands] = block("sh")
  const { host } = new URL(database.url)
  const setting = [
    address.replace("trailbook:choose-one@127.0.0.1:5432/trailbook", `${name}:choose-one@${host}/${name}`),
    keys.replace("npx trailbook", cli)
  ].join("\n")
  const script = (command: string) => `${setting}\n${command.replace("npx trailbook", cli)}`
  const serve = commands.pop() ?? ""
  const outputs = commands.map((command) => {
    const { status, stderr, stdout } = spawnSync("bash", ["-euc", script(command)], { cwd: folder, encoding: "utf8" })
    // The test server runs without fsync, which `doctor` reports as a problem.
    assert.isTrue(status === 0 || stdout.includes("fsync is off"), `${command}\n${stdout}${stderr}`)
    return stdout
  })
  assert.match(outputs.join(), /applies to the role/)

  const server = spawn("bash", ["-euc", script(serve.replace("npx", "exec npx").replace("4000", "0"))], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"]
  })
  try {
    const [line] = await once(server.stdout, "data")
    const url = /http:\S+/.exec(String(line))?.[0]
    const key = /tb_live_\w+/.exec(outputs.join())?.[0]
    const answer = await fetch(`${url}/org`, { headers: { authorization: `Bearer ${key}` } })
    assert.strictEqual((await answer.json()).name, "Your Outfitter")
  } finally {
    server.kill("SIGTERM")
    await once(server, "exit")
  }
})
