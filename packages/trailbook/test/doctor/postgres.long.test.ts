/** `doctor` on a real primary with a standby that falls behind, and with many connections. */
import { layer } from "@trailbook/postgres"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { checks } from "trailbook/doctor/postgres"
import { describe, expect, it, onTestFinished } from "vitest"
import { installedPrograms } from "../../../../test/postgres/program.ts"
import { startPostgres } from "../../../../test/postgres/server.ts"

const programs = await installedPrograms()

describe.skipIf(programs === undefined && process.env["CI"] === undefined)("doctor on Postgres", () => {
  it("reports a standby that is far behind, and connections that run out", async () => {
    const options = { fsync: false, programs: programs ?? expect.fail("Postgres is not installed.") }
    const primary = await startPostgres({ ...options, settings: { max_connections: "43" } })
    onTestFinished(primary.stop)
    const url = primary.url("postgres")
    const standby = await startPostgres({
      ...options,
      settings: { max_connections: "43" },
      standbyOf: `${url}?application_name=db2`
    })
    onTestFinished(standby.stop)
    const connect = async (url: string) => {
      const client = new Client({ connectionString: url }).on("error", () => {})
      await client.connect()
      onTestFinished(() => client.end())
      return client
    }
    const found = async (check: string) => {
      const all = await Effect.runPromise(Effect.scoped(Effect.provide(checks, layer({ url, rowSecurity: false }))))
      const finding = all.find((one) => one.check === check) ?? expect.fail(`no check ${check}`)
      return { found: finding.found, isFault: finding.fix !== undefined }
    }
    expect(await found("replica")).toMatchObject({ isFault: false })
    expect(await found("connections")).toMatchObject({ isFault: false })

    const replica = await connect(standby.url("postgres"))
    await replica.query("select pg_wal_replay_pause()")
    const client = await connect(url)
    await client.query(
      "create table filler as select repeat(md5(n::text), 20) as text from generate_series(1, 120000) n"
    )
    expect(await found("replica")).toMatchObject({
      found: expect.stringMatching(/^db2 is \d+ MiB behind$/),
      isFault: true
    })

    for (let opened = 0; opened < 33; opened++) await connect(url)
    expect(await found("connections")).toMatchObject({ isFault: true })
  }, 120_000)
})
