/** Tests `doctor` on a real primary with a standby, in each state that an operator must notice. */
import { execFile, spawnSync } from "node:child_process"
import { utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { assert, describe, it, onTestFinished } from "vitest"
import { installedPrograms } from "../../../../test/postgres/program.ts"
import { startPostgres } from "../../../../test/postgres/server.ts"
import { clockOff } from "../../../../test/reliability/clockOff.ts"
import { answer, folder, program, request, startServer, trailbook } from "../program.ts"
import { receiver } from "../receiver.ts"

const programs = await installedPrograms()

const cli = join(import.meta.dirname, "../../bin/trailbook.js")
const env = { TRAILBOOK_SECRETS_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}` }

/** Some containers do not permit mount namespaces. `disk.test.ts` tests the check in isolation. */
const canMount = spawnSync("unshare", ["--map-root-user", "--mount", "true"]).status === 0

/** Runs the CLI with a full 10 MiB file system mounted at the folder. */
const onFullDisk: typeof trailbook = (args, { cwd, env }) =>
  new Promise((resolve) => {
    const script =
      "mount -t tmpfs -o size=10m none . && cd \"$PWD\" && head -c 9900000 /dev/zero > filler && exec \"$@\""
    execFile(
      "unshare",
      ["--map-root-user", "--mount", "sh", "-c", script, "sh", process.execPath, cli, ...args],
      { cwd, env: { ...process.env, ...env } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr })
    )
  })

interface Check {
  readonly check: string
  readonly ok: boolean
  readonly found: string
}

describe.skipIf(programs === undefined && process.env["CI"] === undefined)("doctor on Postgres", () => {
  it("reports only problems that an operator must fix", async () => {
    const settings = { max_connections: "60" }
    const options = { fsync: false, programs: programs ?? assert.fail("Postgres is not installed."), settings }
    const connect = async (url: string) => {
      const client = new Client({ connectionString: url }).on("error", () => {})
      await client.connect()
      onTestFinished(() => client.end())
      return client
    }
    const primary = await startPostgres(options)
    onTestFinished(primary.stop)
    const superuser = await connect(primary.url("postgres"))
    await superuser.query("create role trailbook login in role pg_monitor")
    await superuser.query("create database trailbook owner trailbook")
    const standby = await startPostgres({
      ...options,
      standbyOf: `${primary.url("postgres")}?application_name=db2`
    })
    onTestFinished(standby.stop)
    const cwd = folder()
    const backups = folder()
    writeFileSync(join(backups, "monday.dump"), "")
    const backUp = (hours: number) => {
      const at = Date.now() / 1000 - hours * 3600
      utimesSync(join(backups, "monday.dump"), at, at)
    }

    const faults = async (url = primary.url("trailbook", "trailbook"), run = trailbook, extraEnv = {}) => {
      const args = ["doctor", "--database", url, "--backups", backups, "--port", "0", "--json"]
      const { stdout } = await run(args, { cwd, env: { ...env, ...extraEnv } })
      const { checks }: { readonly checks: ReadonlyArray<Check> } = JSON
        .parse(stdout)
      // Ignore `durable`, because the test runs without fsync.
      return checks.flatMap(({ check, found, ok }) => ok || check === "durable" ? [] : [`${check}: ${found}`])
    }

    const database = ["--database", primary.url("trailbook", "trailbook")]
    const { api_key } = await answer(
      ["org", "create", ...database, "--name", "Salida", "--timezone", "America/Denver"],
      { cwd, env }
    )
    const loopback = ["--webhook-allow", "127.0.0.0/8"]
    const { baseUrl } = await startServer(["serve", ...database, "--port", "0", "--worker", "off", ...loopback], {
      cwd,
      env
    })
    const post = (path: string, body: object) =>
      request(`${baseUrl}${path}`, api_key, { method: "POST", body: JSON.stringify(body) })
    const { body: offering } = await post("/offerings", { name: "Kayak", kind: "rental" })

    const states: ReadonlyArray<readonly [fault: RegExp, reported: () => Promise<ReadonlyArray<string>>]> = [
      [/^backups: .* is 49 hours old$/, async () => {
        backUp(49)
        return faults().finally(() => backUp(0))
      }],
      [/^database: .* the server is read-only/, () => faults(standby.url("trailbook", "trailbook"))],
      ...(canMount ? [[/^disk: 9\d% used/, () => faults(undefined, onFullDisk)] as const] : []),
      [/^clocks: .* 3[56]\d{5} ms ahead/, () => faults(undefined, program, clockOff(3_600_000))],
      [/^replica: db2 is \d+ MiB behind$/, async () => {
        const replica = await connect(standby.url("postgres"))
        await replica.query("select pg_wal_replay_pause()")
        await superuser.query(
          "create table filler as select repeat(md5(n::text), 20) from generate_series(1, 120000) n"
        )
        return faults().finally(() => replica.query("select pg_wal_replay_resume()"))
      }],
      [/^connections: \d\d of 57 in use$/, async () => {
        const clients: Array<Client> = []
        for (let n = 0; n < 46; n++) clients.push(await connect(primary.url("postgres")))
        return faults().finally(() => Promise.all(clients.map((client) => client.end())))
      }],
      [/^webhooks: 1 of 1 failing: .* \(500\)$/, async () => {
        const receiving = await receiver()
        receiving.answer(500)
        const { body: webhook } = await post("/webhooks", { url: receiving.url })
        await post("/offerings", { name: "Raft", kind: "rental" })
        await answer(["worker", ...database, ...loopback, "--once"], { cwd, env })
        return faults().finally(() =>
          request(`${baseUrl}/webhooks/${String(webhook.id)}`, api_key, { method: "DELETE" })
        )
      }],
      [/^mails: 1 pending .* overdue by up to \d+ minutes$/, async () => {
        const { body: slots } = await request(`${baseUrl}/offerings/${String(offering.id)}/availability`, api_key)
        await post("/bookings", {
          offering_id: offering.id,
          starts_at: slots.data?.at(-1)?.starts_at,
          customer: { email: "guest@example.com", name: "Guest" }
        })
        const client = await connect(primary.url("trailbook"))
        await client.query("update trailbook.tasks set due_at = due_at - 360000")
        return faults()
      }]
    ]
    backUp(0)
    for (const [fault, reported] of states) {
      // Wait until the standby has replayed the changes and Postgres has closed the connections.
      while ((await faults()).length > 0);
      const [report, ...others] = await reported()
      assert.match(report ?? "", fault)
      assert.deepStrictEqual(others, [])
    }
  }, 240_000)
})
