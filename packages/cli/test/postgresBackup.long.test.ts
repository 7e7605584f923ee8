/**
 * Tests disaster recovery on Postgres: backs up with the real tools while guests book, and restores into a new
 * database.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { Client, type QueryResultRow } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createDatabase } from "../../../test/postgres/database.ts"
import { installedPrograms } from "../../../test/postgres/program.ts"
import { type Postgres, startPostgres } from "../../../test/postgres/server.ts"
import { guestsOf } from "./guestsOf.ts"
import { answer, folder, request, startServer, trailbook } from "./program.ts"

const programs = await installedPrograms()
const env = {
  PATH: `${programs}:${process.env["PATH"] ?? ""}`,
  TRAILBOOK_SECRETS_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`
}

describe.skipIf(programs === undefined && process.env["CI"] === undefined)("backup and restore on Postgres", () => {
  let server: Postgres
  beforeAll(async () => {
    server = await startPostgres({ fsync: false, programs: programs ?? expect.fail("Postgres is not installed.") })
    await rows("postgres", "create role outfitters login nosuperuser nobypassrls password 'pass word'", "postgres")
  })
  afterAll(() => server?.stop())

  const rows = async (
    database: string,
    statement: string,
    role = "outfitters"
  ): Promise<ReadonlyArray<QueryResultRow>> => {
    const client = new Client({ connectionString: server.url(database, role), options: "-c trailbook.orgs=*" })
    await client.connect()
    try {
      return (await client.query<QueryResultRow>(statement)).rows
    } finally {
      await client.end()
    }
  }
  const create = async (name: string, schema = "trailbook") => {
    await rows("postgres", `create database ${name} owner outfitters`, "postgres")
    return on(name, schema)
  }
  const on = (name: string, schema = "trailbook") => [
    "--database",
    `${server.url(name, "outfitters:pass%20word")}?schema=${schema}`
  ]
  const org = ["--name", "Salida River Co.", "--timezone", "America/Denver"]

  it("preserve every acknowledged row, even with row-level security", async () => {
    const cwd = folder()
    const lostArgs = await create("lost")
    const { api_key } = await answer(["org", "create", ...lostArgs, ...org], { cwd, env })
    await answer(["org", "create", ...lostArgs, "--name", "Line\u2028Break", "--timezone", "UTC"], { cwd, env })
    const serve = (database: ReadonlyArray<string>) =>
      startServer(["serve", ...database, "--port", "0", "--rate-limit", "0", "--worker", "off"], { cwd, env })
    const first = await serve(lostArgs)
    const guests = await guestsOf(first.baseUrl, api_key)
    await guests.some(40)
    const before = [...guests.acknowledged]
    const severalHosts = lostArgs.map((argument) => argument.replace("@127.0.0.1", "@127.0.0.1:1,127.0.0.1"))
    const backup = await answer(["backup", ...severalHosts, "backups/monday.dump"], { cwd, env })
    await guests.some(guests.acknowledged.length + 10)
    await guests.stop()
    expect(guests.rejections).toEqual([])
    expect(statSync(join(cwd, "backups/monday.dump")).mode & 0o777).toBe(0o600)
    expect(await readdir(join(cwd, "backups"))).toEqual(["monday.dump"])

    const foundArgs = await create("found")
    const restoreResult = await answer(["restore", ...foundArgs, "backups/monday.dump"], { cwd, env })
    expect(restoreResult).toMatchObject({ rows: backup["rows"], newest_events: backup["newest_events"], pending: [] })
    const { stdout } = await trailbook(["doctor", ...foundArgs, "--port", "0", "--outbox", cwd], { cwd, env })
    expect(stdout.match(/^FAULT.*$/gm)?.filter((line) => !line.includes("fsync is off")) ?? []).toEqual([])

    const events = await rows("found", "select id::int from trailbook.events order by id")
    expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => at + 1))
    expect(restoreResult["newest_events"]).toEqual({ "salida-river-co": events.length, "line-break": 0 })
    const [bookings] = await rows("found", "select count(*)::int as bookings from trailbook.bookings")
    expect(restoreResult["rows"]).toMatchObject({ ...bookings, orgs: 2, events: events.length })
    const policies = "select count(*)::int as n from pg_policies where schemaname = 'trailbook'"
    expect(await rows("found", policies)).toEqual(await rows("lost", policies))

    const again = await serve(foundArgs)
    const answers = await Promise.all(before.map((id) => request(`${again.baseUrl}/bookings/${id}`, api_key)))
    expect(answers.map(({ status }) => status)).toEqual(before.map(() => 200))
    const newGuests = await guestsOf(again.baseUrl, api_key)
    await newGuests.some(5)
    await newGuests.stop()
    expect((await rows("found", "select max(id)::int as n from trailbook.events"))[0]?.["n"]).toBeGreaterThan(
      events.length
    )
  })

  it("never overwrite data, and refuse invalid files", async () => {
    const cwd = folder()
    const river = await create("river", "river")
    await answer(["org", "create", ...river, ...org], { cwd, env })
    await answer(["backup", ...river, "good.dump"], { cwd, env })
    const good = readFileSync(join(cwd, "good.dump"))
    writeFileSync(join(cwd, "cut.dump"), good.subarray(0, good.length / 2))
    writeFileSync(join(cwd, "letter.dump"), "Dear guest, ".repeat(1000))
    const empty = await create("empty", "river")
    const other = on("empty", "trailbook")
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [["backup", ...river, "good.dump"], /good\.dump already exists[^]*Choose a different file/],
      [["backup", ...empty, "new.dump"], /has no Trailbook schema river/],
      [["restore", ...river, "good.dump"], /already has a schema river[^]*createdb/],
      [["restore", ...river, "good.dump", "--replace"], /--replace supports only SQLite/],
      [["restore", ...empty, "cut.dump"], /pg_restore failed: [^]*use another backup/],
      [["restore", ...empty, "letter.dump"], /pg_restore failed: [^]*use another backup/],
      [["restore", ...other, "good.dump"], /does not contain a backup of the Trailbook schema trailbook[^]*\?schema=/],
      [["restore", ...empty, "absent.dump"], /backup absent\.dump does not exist/]
    ]
    for (const [args, message] of cases) {
      const { code, stderr } = await trailbook(args, { cwd, env })
      expect(stderr, args.join(" ")).toMatch(message)
      expect(stderr).not.toMatch(/pass(%20| )word|\n\s+at /)
      expect(code).toBeGreaterThan(0)
    }
    expect(await rows("empty", "select from pg_namespace where nspname in ('river', 'trailbook')")).toEqual([])
    expect((await readdir(cwd)).filter((name) => /\.tmp|new/.test(name))).toEqual([])
    expect((await answer(["restore", ...empty, "good.dump"], { cwd, env }))["rows"]).toMatchObject({ orgs: 1 })
  })

  it("reject a backup if a connection pooler hid rows", async () => {
    const cwd = folder()
    const hiddenArgs = await create("hidden")
    await answer(["org", "create", ...hiddenArgs, ...org], { cwd, env })
    const pooler = `#!/bin/bash\nexec "${programs}/pg_dump" "\${@//trailbook.orgs/other.orgs}"\n`
    writeFileSync(join(cwd, "pg_dump"), pooler, { mode: 0o755 })
    const { code, stderr } = await trailbook(["backup", ...hiddenArgs, "a.dump"], {
      cwd,
      env: { ...env, PATH: `${cwd}:${env.PATH}` }
    })
    expect(stderr).toMatch(/The row counts of the backup and the database differ: 0 and 1 orgs[^]*not through a pooler/)
    expect(code).toBe(1)
    expect(await readdir(cwd)).toEqual(["pg_dump"])
  })

  it("name a required tool that is missing", async () => {
    const cwd = folder()
    const tools = await create("tools")
    await answer(["org", "create", ...tools, ...org], { cwd, env })
    const { code, stderr } = await trailbook(["backup", ...tools, "a.dump"], { cwd, env: { ...env, PATH: cwd } })
    expect(stderr).toMatch(/pg_dump was not found\.\nInstall the Postgres client tools/)
    expect(code).toBe(1)
    expect(await readdir(cwd)).toEqual([])
  })

  // The test run's own server is newer than the operating system's tools.
  it.skipIf(process.env["TRAILBOOK_TEST_POSTGRES_URL"] !== undefined)(
    "name the required version of an outdated tool",
    async () => {
      const cwd = folder()
      const newer = await createDatabase()
      const database = ["--database", newer.url]
      await answer(["org", "create", ...database, ...org], { cwd, env })
      const { code, stderr } = await trailbook(["backup", ...database, "a.dump"], { cwd, env })
      await newer.drop()
      expect(stderr).toMatch(/pg_dump \d+ cannot back up a Postgres (\d+) server\.\nInstall .*client-\1/)
      expect(code).toBe(1)
      expect(await readdir(cwd)).toEqual([])
    }
  )
})
