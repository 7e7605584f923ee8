/** Tests reads from servers that have a streaming standby, with the operating system's Postgres. */
import { execFile, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it, onTestFinished } from "vitest"
import { freePort } from "../freePort.ts"
import { installedPrograms } from "../postgres/program.ts"
import { createTempFolder } from "../reliability/Target.ts"
import { ask, startReplicated } from "./replica.ts"

const programs = await installedPrograms()

const hasPooler = existsSync("/usr/sbin/pgbouncer")

/** Starts PgBouncer in transaction mode in front of a database. Returns its port. */
const pooler = async (url: string): Promise<number> => {
  const { path, remove } = await createTempFolder()
  onTestFinished(remove)
  const { hostname, pathname, port: of, username } = new URL(url)
  const port = await freePort()
  await writeFile(join(path, "users"), `"${username}" ""\n`)
  await writeFile(
    join(path, "pgbouncer.ini"),
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${of}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(path, "users")}
pool_mode = transaction
default_pool_size = 3
`
  )
  // PgBouncer refuses to run as root.
  await promisify(execFile)("chmod", ["-R", "a+rX", path])
  const user = process.getuid?.() === 0 ? ["--user", "nobody"] : []
  const child = spawn("/usr/sbin/pgbouncer", [...user, join(path, "pgbouncer.ini")], { stdio: "ignore" })
  onTestFinished(() => void child.kill("SIGKILL"))
  return port
}

/** Counts the statements that read guests. */
const reads =
  "select sum(calls)::integer as calls from pg_stat_statements where query like '%from \"trailbook\".customers%'"

describe.skipIf(programs === undefined && process.env["CI"] === undefined)("a server with a replica", () => {
  // If PgBouncer is installed, the second server reads through it.
  it("lets callers read their acknowledged writes despite replication lag", async () => {
    const replicated = await startReplicated()
    onTestFinished(replicated.close)
    const { key, on, serve, standby } = replicated
    const pooled = hasPooler ? await pooler(standby.url("river", "trailbook")) : undefined
    const [first, second] = [await serve(true), await serve(true, pooled)]
    let guests = 0
    const readsOwnWrites = async () => {
      for (let n = 0; n < 20; n++) {
        const email = `guest${guests++}@example.com`
        assert.strictEqual((await ask(first, key, "/customers", { name: "Ann Bell", email })).status, 200)
        for (const url of [second, first]) {
          const { body } = await ask(url, key, `/customers?q=${email}`)
          assert.deepStrictEqual(body.data.map((one: { readonly email: string }) => one.email), [email])
        }
      }
    }
    const servedBy = async () => Number((await on(standby, reads))[0]?.["calls"] ?? 0)
    await readsOwnWrites()
    assert.isAtLeast(await servedBy(), 20)
    for (const url of [first, second]) {
      const before = await servedBy()
      for (let n = 0; n < 5; n++) await ask(url, key, "/customers")
      assert.isAbove(await servedBy(), before)
    }
    for (const delay of ["20ms", "2s"]) {
      await on(standby, `alter system set recovery_min_apply_delay = '${delay}'`)
      await on(standby, "select pg_reload_conf()")
      await readsOwnWrites()
    }
  }, 120_000)

  it("reads from the primary while the replica is down", async () => {
    const replicated = await startReplicated()
    onTestFinished(replicated.close)
    const { key, on, serve, standby } = replicated
    const url = await serve(true)
    const list = async () => (await ask(url, key, "/customers")).status
    assert.strictEqual(await list(), 200)
    await standby.kill("SIGKILL")
    for (let n = 0; n < 20; n++) assert.strictEqual(await list(), 200)
    await standby.restart()
    const before = Number((await on(standby, reads))[0]?.["calls"] ?? 0)
    const until = Date.now() + 30_000
    while (Number((await on(standby, reads))[0]?.["calls"] ?? 0) === before) {
      assert.isBelow(Date.now(), until)
      assert.strictEqual(await list(), 200)
    }
  }, 120_000)
})
