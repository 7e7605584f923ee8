import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createDatabase, type Database } from "../../../test/postgres/database.ts"
import { stepsOfNewSchema } from "../../postgres/test/steps.ts"
import { answer, folder, request, startCommand, startServer, trailbook } from "./program.ts"
import { receiver } from "./receiver.ts"

let database: Database

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const databaseArgs = (schema: string) => ["--database", `${database.url}?schema=${schema}`]
const org = (schema: string) => [
  "org",
  "create",
  ...databaseArgs(schema),
  "--name",
  "Salida River Co.",
  "--timezone",
  "America/Denver"
]

/** The secret keys shared by all processes on the database. */
const env = { TRAILBOOK_SECRETS_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}` }

const offering = { name: "Browns Canyon", kind: "class", capacity: 1 }

describe("on Postgres", () => {
  it("applies the migrations only once", async () => {
    const cwd = folder()
    const migrate = ["migrate", ...databaseArgs("migrated")]
    expect(await answer(migrate, { cwd })).toMatchObject({
      applied: stepsOfNewSchema
    })
    expect((await trailbook(migrate, { cwd })).stdout).toMatch(/\(schema migrated\) is up to date\. No migrations/)
  })

  it("sells a seat only once across two servers", async () => {
    const cwd = folder()
    const serve = ["serve", ...databaseArgs("shared"), "--port", "0", "--rate-limit", "0"]
    const servers = await Promise.all([startServer(serve, { cwd, env }), startServer(serve, { cwd, env })])
    const { api_key } = await answer(org("shared"), { cwd })
    const [first, second] = servers.map(({ baseUrl }) => baseUrl)
    const post = (baseUrl: string | undefined, path: string, body: object) =>
      request(`${baseUrl}${path}`, api_key, { method: "POST", body: JSON.stringify(body) })

    const { body: { id: offering_id } } = await post(first, "/offerings", offering)
    const starts_at = new Date(Date.now() + 86_400_000).toISOString()
    const { body: { data } } = await post(second, "/sessions", { offering_id, starts_at })
    const wish = (guest: number) => ({
      offering_id,
      session_id: data?.[0]?.id,
      customer: { email: `guest${guest}@example.com`, name: "Guest" }
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => post(at % 2 === 0 ? first : second, "/bookings", wish(at)))
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, ...Array(19).fill(409)])
    const lists = await Promise.all([first, second].map((baseUrl) => request(`${baseUrl}/bookings`, api_key)))
    const ids = lists.map(({ body }) => body.data?.map(({ id }) => id))
    expect(ids).toEqual([[expect.any(String)], ids[0]])
  })

  it("doctor reports a role that bypasses row-level security", async () => {
    const cwd = folder()
    await answer(org("examined"), { cwd })
    const doctor = ["doctor", "--port", "0", "--outbox", cwd]
    const { code, stdout } = await trailbook([...doctor, ...databaseArgs("examined")], { cwd, env })
    expect(stdout).toMatch(/row security applies to the role/)
    expect(stdout).toMatch(/clocks/)
    // The test server may run without fsync, which `doctor` reports.
    expect(stdout.match(/^FAULT.*$/gm)?.filter((line) => !line.includes("fsync is off")) ?? []).toEqual([])
    expect(code).toBe(stdout.includes("fsync is off") ? 3 : 0)
    const superuser = ["--database", `${database.superuserUrl}?schema=examined`]
    expect((await trailbook([...doctor, ...superuser], { cwd, env })).stdout).toMatch(/FAULT.*is a superuser/)
  })

  const statusOf = async (baseUrl: string, path: string) => (await fetch(new URL(path, baseUrl))).status
  const change = async (statement: string) => {
    const client = new Client({ connectionString: database.superuserUrl })
    await client.connect()
    await client.query(statement)
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    )
    await client.end()
  }
  const name = () => new URL(database.url).pathname.slice(1)

  it("the server responds with 503 only while the database is read-only", async () => {
    const cwd = folder()
    const { api_key } = await answer(org("demoted"), { cwd })
    const { baseUrl, child } = await startServer(
      ["serve", ...databaseArgs("demoted"), "--port", "0", "--rate-limit", "0"],
      {
        cwd,
        env
      }
    )
    const post = () =>
      fetch(`${baseUrl}/offerings`, {
        method: "POST",
        headers: { authorization: `Bearer ${String(api_key)}`, "content-type": "application/json" },
        body: JSON.stringify(offering)
      })
    expect((await post()).status).toBe(201)
    await change(`alter database ${name()} set default_transaction_read_only = on`)
    try {
      await expect.poll(() => statusOf(baseUrl, "/readyz")).toBe(503)
      await expect.poll(async () => (await request(`${baseUrl}/offerings`, api_key)).status).toBe(200)
      const rejection = await post()
      expect({ status: rejection.status, retry: rejection.headers.get("retry-after") }).toEqual({
        status: 503,
        retry: "1"
      })
      const { code, stdout } = await trailbook(["doctor", "--port", "0", ...databaseArgs("demoted")], { cwd, env })
      expect(code).toBe(3)
      expect(stdout).toMatch(/FAULT +database .*the server is read-only\. Connect to the primary/)
      const { code: serveCode, stderr } = await trailbook(["serve", "--port", "0", ...databaseArgs("demoted")], {
        cwd,
        env
      })
      expect(serveCode).toBe(1)
      expect(stderr).toMatch(/the server is read-only/)
      expect(stderr).not.toMatch(/\n\s+at /)
    } finally {
      // Keep the connections, which remain read-only until the server replaces them.
      const client = new Client({ connectionString: database.superuserUrl })
      await client.connect()
      await client.query(`set default_transaction_read_only = off`)
      await client.query(`alter database ${name()} reset default_transaction_read_only`)
      await client.end()
    }
    await expect.poll(() => statusOf(baseUrl, "/readyz")).toBe(200)
    await expect.poll(async () => (await post()).status).toBe(201)
    expect(child.exitCode).toBeNull()
  })

  it("the server is not ready while the database cannot allocate disk space", async () => {
    const cwd = folder()
    await answer(org("full"), { cwd })
    await change(`alter database ${name()} set temp_file_limit = 0`)
    try {
      const { baseUrl } = await startServer(["serve", ...databaseArgs("full"), "--port", "0", "--worker", "off"], {
        cwd,
        env
      })
      expect(await statusOf(baseUrl, "/readyz")).toBe(503)
      expect(await statusOf(baseUrl, "/livez")).toBe(200)
      const { stdout } = await trailbook(["doctor", "--port", "0", ...databaseArgs("full")], { cwd, env })
      expect(stdout).toMatch(/FAULT +writing .*temp_file_limit[^]*has free disk space/)
    } finally {
      await change(`alter database ${name()} reset temp_file_limit`)
    }
  })

  it("delivers each event only once, even with a separate worker", async () => {
    const cwd = folder()
    const loopback = ["--webhook-allow", "127.0.0.0/8"]
    const { api_key } = await answer(org("pushed"), { cwd })
    const { baseUrl } = await startServer(
      ["serve", ...databaseArgs("pushed"), "--port", "0", "--worker", "off", ...loopback],
      { cwd, env }
    )
    const workers = await Promise.all(
      [1, 2].map(() => startCommand(["worker", ...databaseArgs("pushed"), ...loopback], { cwd, env }))
    )
    const receiving = await receiver()
    const post = (path: string, body: object) =>
      request(`${baseUrl}${path}`, api_key, { method: "POST", body: JSON.stringify(body) })
    expect((await post("/webhooks", { url: receiving.url })).status).toBe(201)
    await Promise.all(Array.from({ length: 10 }, (_, at) => post("/offerings", { ...offering, name: `Trip ${at}` })))
    await receiving.until(10)
    for (const { child } of workers) child.kill("SIGTERM")
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0])
    expect(receiving.ids()).toEqual(Array.from({ length: 10 }, (_, at) => at + 1))
  })

  it.each([["serve", "--port", "0"], ["worker"]])(
    "%s refuses to start without keys",
    async (
      command,
      ...options
    ) => {
      const { code, stderr, stdout } = await trailbook([command, ...databaseArgs("keyless"), ...options], {
        cwd: folder()
      })
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(stderr).toContain("TRAILBOOK_SECRETS_KEYS is not set")
      expect(stderr).toContain("trailbook secrets generate")
    }
  )

  it("doctor reports missing encryption keys", async () => {
    const cwd = folder()
    await answer(org("examined"), { cwd })
    const { code, stdout } = await trailbook(["doctor", "--port", "0", ...databaseArgs("examined")], { cwd })
    expect(code).toBe(3)
    expect(stdout).toMatch(/FAULT +secrets +TRAILBOOK_SECRETS_KEYS is not set/)
  })

  it("names an unreachable server without its password", async () => {
    const unreachable = ["--database", "postgres://me:secret@127.0.0.1:1/trips"]
    const { code, stderr } = await trailbook(["migrate", ...unreachable], { cwd: folder(), env })
    expect(code).toBe(1)
    expect(stderr).toContain("Check that the URL is correct, that the server is running")
    expect(stderr).toMatch(/127\.0\.0\.1:1\/trips.*ECONNREFUSED/)
    expect(stderr).not.toContain("secret")
  })
})
