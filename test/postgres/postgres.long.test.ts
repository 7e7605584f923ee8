/**
 * Tests the guarantees that tests on Postgres rely on. Each database is separate, and row-level security restricts the
 * role that owns it. The server can be killed and restarted but never outlives the run.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { Client, type QueryResultRow } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase, type Database, type Schema } from "./database.ts"
import { type Postgres, startPostgres } from "./server.ts"

const rows = async (url: string, ...statements: ReadonlyArray<string>): Promise<ReadonlyArray<QueryResultRow>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let last: ReadonlyArray<QueryResultRow> = []
    for (const statement of statements) last = (await client.query<QueryResultRow>(statement)).rows
    return last
  } finally {
    await client.end()
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("a test database", () => {
  let fills = 0
  const schema: Schema = {
    name: "rafts",
    fill: async (url) => {
      fills++
      await rows(url, "create table rafts (org text not null)", "insert into rafts values ('a'), ('b')")
    }
  }
  let databases: ReadonlyArray<Database>
  beforeAll(async () => {
    databases = await Promise.all([createDatabase(schema), createDatabase(schema), createDatabase(schema)])
  })
  afterAll(() => Promise.all(databases.map((database) => database.drop())))

  it("is cloned from a schema that is created only once", async () => {
    assert.strictEqual(fills, 1)
    const [first, second] = databases
    await rows(first?.url ?? "", "delete from rafts")
    assert.lengthOf(await rows(second?.url ?? "", "select * from rafts"), 2)
  })

  it("is owned by a role that is subject to row-level security", async () => {
    const { superuserUrl, url } = databases[2] ?? assert.fail()
    await rows(
      url,
      "alter table rafts enable row level security",
      "alter table rafts force row level security",
      "create policy one on rafts using (org = 'a')"
    )
    assert.lengthOf(await rows(url, "select * from rafts"), 1)
    assert.lengthOf(await rows(superuserUrl, "select * from rafts"), 2)
  })

  it("can be dropped while connections to it are open", async () => {
    const database = await createDatabase()
    const open = new Client({ connectionString: database.url })
    open.on("error", () => undefined)
    await open.connect()
    await database.drop()
    const message = await rows(database.url, "select 1").then(() => "open", (error: Error) => error.message)
    assert.match(message, /does not exist/)
  })
})

describe("a test server", () => {
  let server: Postgres
  beforeAll(async () => {
    server = await startPostgres({ fsync: true, settings: { max_connections: "17" } })
  })
  afterAll(() => server.stop())

  it("runs with the requested settings", async () => {
    const query = "select current_setting('fsync') as fsync, current_setting('max_connections') as connections"
    assert.deepStrictEqual(await rows(server.url("postgres"), query), [{ fsync: "on", connections: "17" }])
  })

  it("keeps committed data through kill -9", async () => {
    const before = server.pid()
    await rows(server.url("postgres"), "create table kept as select 42 as answer")
    await server.kill("SIGKILL")
    assert.isFalse(isAlive(before))
    await server.restart()
    assert.deepStrictEqual(await rows(server.url("postgres"), "select * from kept"), [{ answer: 42 }])
  })

  it("deletes its folder when it stops", async () => {
    const pid = server.pid()
    await server.stop()
    await server.stop()
    assert.deepStrictEqual([isAlive(pid), existsSync(server.folder)], [false, false])
  })
})

const run = (program: string) => ["--import", "tsx", "--input-type=module", "-e", program]

const starting = `import { startPostgres } from "${import.meta.dirname}/server.ts"
  const { folder, pid } = await startPostgres({ fsync: false })
  console.log(JSON.stringify({ folder, pid: pid() }))
  setInterval(() => {}, 1000)`

/** Starts the server the way a test run does: in a worker, which is the child of another process. */
const startingInWorker = `import { spawn } from "node:child_process"
  spawn(process.execPath, ${JSON.stringify(run(starting))}, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  setInterval(() => {}, 1000)`

it("a program stays alive while it waits for its test server to stop", async () => {
  const program = `import { startPostgres } from "${import.meta.dirname}/server.ts"
    await (await startPostgres({ fsync: false })).stop()
    console.log("stopped")`
  const child = spawn(process.execPath, run(program), { stdio: ["ignore", "pipe", "inherit"] })
  const [text] = await once(child.stdout, "data")
  assert.strictEqual(String(text), "stopped\n")
})

it.each([["alone", starting], ["with a worker", startingInWorker]])(
  "a test server stops if the process that started it is killed (%s)",
  async (_, program) => {
    const parent = spawn(process.execPath, run(program), { stdio: ["ignore", "pipe", "inherit"] })
    const [line] = await once(parent.stdout, "data")
    const { folder, pid } = JSON.parse(String(line))
    assert.isTrue(isAlive(pid))
    parent.kill("SIGKILL")
    while (isAlive(pid) || existsSync(folder)) await sleep(20)
  }
)
