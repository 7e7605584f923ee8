/** Reads of servers with a streaming standby of the operating system's Postgres. */
import { assert, describe, it, onTestFinished } from "vitest"
import { installedPrograms } from "../postgres/program.ts"
import { ask, startReplicated } from "./replica.ts"

const programs = await installedPrograms()

/** Counts the reads of guests. */
const reads =
  "select sum(calls)::integer as calls from pg_stat_statements where query like '%from \"trailbook\".customers%'"

describe.skipIf(programs === undefined && process.env["CI"] === undefined)("a server with a replica", () => {
  it("shows a caller each acknowledged write of any server, whatever the delay of the replica", async () => {
    const replicated = await startReplicated()
    onTestFinished(replicated.close)
    const { key, on, serve, standby } = replicated
    const [first, second] = [await serve(true), await serve(true)]
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
    for (const delay of ["20ms", "2s"]) {
      await on(standby, `alter system set recovery_min_apply_delay = '${delay}'`)
      await on(standby, "select pg_reload_conf()")
      await readsOwnWrites()
    }
  }, 120_000)

  it("reads from the primary while the replica is down, and from the replica again after its restart", async () => {
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
