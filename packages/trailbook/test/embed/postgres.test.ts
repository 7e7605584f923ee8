/** Tests a host's connection pool. Trailbook never closes the pool, and a single connection is enough. */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { connect, createServer } from "node:net"
import { Pool } from "pg"
import { postgres } from "trailbook"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { createDatabase, type Database } from "../../../../test/postgres/database.ts"
import { isLong } from "../../../../test/runs.ts"
import { folder, trailbook as program } from "../../../cli/test/program.ts"
import { ada, openTrailbook, trip } from "./outfit.ts"

let database: Database
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const poolOf = (max: number) => {
  const pool = new Pool({ connectionString: database.url, max, connectionTimeoutMillis: 10_000 })
  onTestFinished(() => pool.end())
  return pool
}

describe("Trailbook on the host's pool", () => {
  it("works with one connection and leaves the pool open", async () => {
    const pool = poolOf(1)
    const trailbook = await openTrailbook({ database: postgres({ pool, schema: "single" }), mailer: "none" })
    const place = await trip(trailbook, 10)
    const [wishes] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, () => trailbook.try.bookings.create({ ...place, ...ada }))),
      Promise.all(Array.from({ length: 30 }, () => trailbook.bookings.list())),
      trailbook.worker.runOnce()
    ])
    expect(wishes.filter(({ ok }) => ok)).toHaveLength(10)
    await trailbook.close()
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }])
    expect(pool.totalCount).toBe(1)
  })

  it("creates only one outfitter when several instances start at once", async () => {
    const starting = Array.from(
      { length: 6 },
      () => openTrailbook({ database: postgres({ pool: poolOf(2), schema: "crowd" }) })
    )
    const orgs = await Promise.all(starting.map(async (trailbook) => (await trailbook).org.get()))
    expect(new Set(orgs.map(({ id }) => id)).size).toBe(1)
    expect(await (await openTrailbook({ database: `${database.url}?schema=crowd` })).orgs.list()).toEqual([orgs[0]])
  })

  it("rejects a value that is not a pool", async () => {
    const wrong: unknown = { totalCount: 0 }
    await expect(openTrailbook({ database: postgres({ pool: wrong as Pool }) })).rejects.toThrow(
      /^database: pool must be/
    )
  })
})

it.runIf(isLong)("a process exits after its work, even if it did not close Trailbook", () => {
  const program = `
    import { createTrailbook } from "trailbook"
    const database = ${JSON.stringify(`${database.url}?schema=unclosed`)}
    const org = { name: "Salida", timezone: "America/Denver" }
    const trailbook = await createTrailbook({ database, org, mailer: "none", log: () => {} })
    console.log((await trailbook.org.get()).slug)
  `
  const tsx = createRequire(import.meta.url).resolve("tsx")
  const args = ["--conditions=@trailbook/source", "--import", tsx, "--input-type=module", "--eval", program]
  // The timeout is shorter than the minute after which idle connections are closed.
  expect(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8", timeout: 45_000 })).toBe(
    "salida\n"
  )
})

it("closing Trailbook completes the work in progress before it releases the database", async () => {
  const address = `${database.url}?schema=closing`
  const trailbook = await openTrailbook({ database: address })
  const place = await trip(trailbook)
  const { api_key } = await trailbook.keys.create({ name: "Website" })
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" }
  const postBooking = () => {
    const request = new Request("http://localhost/v1/bookings", {
      method: "POST",
      body: JSON.stringify({ ...place, ...ada }),
      headers
    })
    return trailbook.handler(request)
  }
  await trailbook.handler(new Request("http://localhost/livez"))
  const underWay = Array.from({ length: 5 }, () => trailbook.bookings.create({ ...place, ...ada }))
  const answers = Array.from({ length: 5 }, postBooking)
  // Let the handler accept the requests before Trailbook closes.
  await Promise.resolve()
  await trailbook.close()
  expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual(Array(5).fill("confirmed"))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(5).fill(201))
  expect((await postBooking()).status).toBe(503)
  expect((await (await openTrailbook({ database: address })).bookings.list()).data).toHaveLength(10)
})

it("a call to an unreachable database fails with a retryable error that omits the password", async () => {
  const trailbook = await openTrailbook({ database: "postgres://nobody:secret@127.0.0.1:1/nothing" })
  const answer = await trailbook.try.org.get()
  expect(answer).toMatchObject({ ok: false, error: { code: "unavailable", status: 503, retryable: true } })
  expect(JSON.stringify(answer) + String(answer.ok ? "" : answer.error)).not.toContain("secret")
})

it("calls that failed because the database was unavailable succeed once it is available", async () => {
  const at = new URL(database.url)
  const gate = createServer((socket) => {
    const onward = connect(Number(at.port), at.hostname)
    for (const [one, other] of [[socket, onward], [onward, socket]] as const) {
      one.pipe(other)
      one.on("error", () => other.destroy())
    }
  })
  const listen = async (port: number) => {
    await once(gate.listen(port, "127.0.0.1"), "listening")
    const address = gate.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }
  const closeGate = () => new Promise<void>((resolve) => gate.close(() => resolve()))
  const port = await listen(0)
  await closeGate()

  const behind = new URL(`${database.url}?schema=later`)
  behind.port = String(port)
  const trailbook = await openTrailbook({ database: behind.href, mailer: "none" })
  const calls: Record<string, () => Promise<unknown>> = {
    "a call": () => trailbook.org.get(),
    "forOrg": () => trailbook.forOrg("salida-river-co"),
    "migrate": () => trailbook.migrate(),
    "worker.start": () => trailbook.worker.start(),
    "worker.runOnce": () => trailbook.worker.runOnce()
  }
  const ready = async () => (await trailbook.handler(new Request("http://localhost/readyz"))).status
  for (const [name, ask] of Object.entries(calls)) {
    await expect(ask(), name).rejects.toMatchObject({ name: "TrailbookError", code: "unavailable", retryable: true })
  }
  expect(await ready()).toBe(503)

  await listen(port)
  onTestFinished(closeGate)
  for (const [name, ask] of Object.entries(calls)) expect(await settle(ask()), name).toMatchObject({ ok: true })
  expect(await ready()).toBe(200)
  await trailbook.close()
})

const settle = (promise: Promise<unknown>) =>
  promise.then((value) => ({ ok: true, value }), (error: unknown) => ({ ok: false, error }))

describe("migrations in the host's migration tool", () => {
  it("can be printed as SQL and applied", async () => {
    const cwd = folder()
    const migrate = ["migrate", "--database", `${database.url}?schema=printed`]
    expect((await program([...migrate, "--check"], { cwd })).code).toBe(1)
    const { code, stdout } = await program([...migrate, "--print"], { cwd })
    expect(code).toBe(0)
    const pool = poolOf(1)
    const schemas = "select 1 from pg_namespace where nspname = 'printed'"
    expect((await pool.query(schemas)).rowCount).toBe(0)

    await pool.query(`begin;\n${stdout}\ncommit`)
    const check = await program([...migrate, "--check"], { cwd })
    expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining("is up to date.") })
    expect(await program([...migrate, "--print"], { cwd })).toMatchObject({ code: 0, stdout: "" })
    const trailbook = await openTrailbook({ database: postgres({ pool, schema: "printed" }), migrations: "manual" })
    expect(await trailbook.migrate()).toEqual([])
    expect(await trailbook.bookings.create({ ...await trip(trailbook), ...ada })).toMatchObject({ status: "confirmed" })
  })
})
