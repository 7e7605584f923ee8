/** Tests writes while the synchronous standby is lost, with the operating system's Postgres. */
import { startServer } from "@trailbook/server"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "pg"
import { assert, describe, it, onTestFinished } from "vitest"
import { folder, request, trailbook } from "../../packages/cli/test/program.ts"
import { installedPrograms } from "../postgres/program.ts"
import { startPostgres } from "../postgres/server.ts"

const programs = await installedPrograms()

describe.skipIf(programs === undefined && process.env["CI"] === undefined)("a lost synchronous standby", () => {
  it(
    "fails pending writes within 12 seconds, and later writes immediately",
    async () => {
      const options = { fsync: true, programs: programs ?? assert.fail("Postgres is not installed.") }
      const primary = await startPostgres(options)
      onTestFinished(primary.stop)
      const superuser = new Client({ connectionString: primary.url("postgres") })
      await superuser.connect()
      onTestFinished(() => superuser.end())
      await superuser.query("create role trailbook login nosuperuser nobypassrls")
      await superuser.query("create database trailbook owner trailbook")
      const standby = await startPostgres({ ...options, standbyOf: primary.url("postgres") })
      onTestFinished(standby.stop)
      await superuser.query("alter system set synchronous_standby_names = '*'")
      await superuser.query("select pg_reload_conf()")
      const count = async (of: string) => Number((await superuser.query(`select count(*) as n ${of}`)).rows[0].n)
      while (await count("from pg_stat_replication where sync_state = 'sync'") === 0) await sleep(20)

      const url = primary.url("trailbook", "trailbook")
      const server = await startServer({
        database: { _tag: "Postgres", url, schema: "trailbook", prepare: true },
        secretsKeys: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
        outbox: folder(),
        files: { _tag: "Folder", directory: folder() },
        // Refusals are fast, so the rounds below exceed the default rate limit.
        rateLimitPerSecond: 0,
        port: 0
      })
      onTestFinished(server.stop)
      const { stdout } = await trailbook(
        ["org", "create", "--database", url, "--name", "Salida", "--timezone", "America/Denver", "--json"],
        { cwd: folder(), env: { TRAILBOOK_SECRETS_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}` } }
      )
      const { api_key } = JSON.parse(stdout)
      const post = (path: string, body: object) =>
        request(`${server.baseUrl}${path}`, api_key, { method: "POST", body: JSON.stringify(body) })
      const { body: offering } = await post("/offerings", { name: "Rafting", kind: "class", capacity: 30 })
      const starts_at = new Date(Date.now() + 3 * 86_400_000).toISOString()
      const { body: sessions } = await post("/sessions", { offering_id: offering.id, starts_at })
      const keys = Array.from({ length: 112 }, () => crypto.randomUUID())
      const book = async (guest: number) => {
        const from = performance.now()
        const customer = { email: `guest${guest}@example.com`, name: "Guest" }
        const booking = {
          offering_id: offering.id,
          session_id: sessions.data?.[0]?.id,
          customer,
          idempotency_key: keys[guest]
        }
        const { status } = await post("/bookings", booking)
        return { status, ms: performance.now() - from }
      }
      assert.strictEqual((await book(0)).status, 201)
      await standby.kill("SIGKILL")

      // Creating an offering is not batched, so each request waits for a lock that another request holds until it
      // commits.
      const create = async (name: string) => {
        const from = performance.now()
        const { status } = await post("/offerings", { name, kind: "rental" })
        return { status, ms: performance.now() - from }
      }
      const first = await Promise.all(
        Array.from({ length: 12 }, (_, index) => [book(index + 1), create(`Raft ${index}`)]).flat()
      )
      const longest = Math.max(...first.map(({ ms }) => ms))
      assert.deepStrictEqual([...new Set(first.map(({ status }) => status))], [503])
      assert.isBelow(longest, 12_000)
      const ready = () => fetch(`${server.origin}/readyz`)
      for (let round = 0; round < 20; round++) {
        const next = await Promise.all(Array.from({ length: 12 }, (_, index) => book(100 + index)))
        for (const { ms, status } of next) {
          assert.strictEqual(status, 503)
          assert.isBelow(ms, 1000)
        }
        assert.strictEqual((await ready()).status, 503)
      }
      const backends = await count("from pg_stat_activity where usename = 'trailbook'")
      assert.isAtMost(backends, 2 * 14)

      await standby.restart()
      const deadline = Date.now() + 30_000
      while ((await ready()).status !== 200) {
        assert.isBelow(Date.now(), deadline)
        await sleep(100)
      }
      // A write that got a 503 may have been committed. Repeating it returns the same booking.
      for (let guest = 1; guest <= 12; guest++) assert.strictEqual((await book(guest)).status, 201)
      assert.strictEqual(await count("from pg_stat_activity where wait_event = 'SyncRep'"), 0)
    },
    120_000
  )
})
