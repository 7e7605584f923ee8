/**
 * Tests two servers on one database whose clocks are ten seconds apart. The hold on the only seat expires between the
 * two clocks' times, so it has expired for one server and is live for the other.
 */
import Database from "better-sqlite3"
import { join } from "node:path"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createDatabase, type Database as Lent } from "../../../test/postgres/database.ts"
import { clockOff } from "../../../test/reliability/clockOff.ts"
import { answer, folder, program, request, startServer, trailbook } from "./program.ts"

const apartMs = 10_000

/** The secret keys shared by all processes on Postgres. */
const keys = { TRAILBOOK_SECRETS_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}` }

const dayAhead = (hours: number): string => new Date(Date.now() + (24 + hours) * 3_600_000).toISOString()

/** Books the held seat on the server that is ahead, and then confirms the hold on the server that is behind. */
const meet = async (database: string, kind: "class" | "appointment", endsNow: (id: string) => Promise<void>) => {
  const cwd = folder()
  const databaseArgs = ["--database", database]
  const org = ["org", "create", ...databaseArgs, "--name", "Salida River Co.", "--timezone", "UTC"]
  const { api_key } = await answer(org, { cwd, env: keys })
  const serve = ["serve", ...databaseArgs, "--port", "0", "--rate-limit", "0", "--worker", "off"]
  const [ahead, behind] = await Promise.all([
    startServer(serve, { cwd, env: { ...keys, ...clockOff(apartMs) } }),
    startServer(serve, { cwd, env: keys })
  ])
  const post = (baseUrl: string, path: string, body: object = {}) =>
    request(`${baseUrl}${path}`, api_key, { method: "POST", body: JSON.stringify(body) })

  const { body: { id: offering_id } } = await post(behind.baseUrl, "/offerings", { name: "Raft", kind, capacity: 1 })
  if (kind === "class") await post(behind.baseUrl, "/sessions", { offering_id, starts_at: dayAhead(1) })
  const slots = await request(
    `${behind.baseUrl}/offerings/${String(offering_id)}/availability?from=${dayAhead(24).slice(0, 10)}`,
    api_key
  )
  const listing = kind === "class" ? await request(`${behind.baseUrl}/sessions`, api_key) : slots
  const [slot] = (listing.body as { data: ReadonlyArray<{ id: string; starts_at: string }> }).data
  const place = kind === "class" ? { session_id: slot?.id } : { starts_at: slot?.starts_at }
  const customer = (name: string) => ({ customer: { email: `${name}@example.com`, name } })
  const hold = await post(behind.baseUrl, "/bookings", { offering_id, ...place, ...customer("ann"), hold_minutes: 5 })
  expect(hold.status).toBe(201)
  await endsNow(String(hold.body.id))

  const sale = await post(ahead.baseUrl, "/bookings", { offering_id, ...place, ...customer("bob") })
  const confirmation = await post(behind.baseUrl, `/bookings/${String(hold.body.id)}/confirm`)
  const { body } = await request(`${behind.baseUrl}/bookings?status=confirmed`, api_key)
  return {
    sold: sale.status,
    confirmed: confirmation.status,
    live: (body as { data: ReadonlyArray<unknown> }).data.length
  }
}

/** Returns a time between the two clocks' times. */
const between = (): number => Date.now() + apartMs / 2

describe("two servers with different clocks", () => {
  it.each(["class", "appointment"] as const)("on SQLite, never sell a place of a %s twice", async (kind) => {
    const file = join(folder(), "a.sqlite")
    const outcome = await meet(`sqlite:${file}`, kind, async (id) => {
      const database = new Database(file)
      database.prepare("update bookings set expires_at = ? where id = ?").run(between(), id)
      database.close()
    })
    expect(outcome).toEqual({ sold: 201, confirmed: 409, live: 1 })
  })

  describe("on Postgres", () => {
    let lentDatabase: Lent
    beforeAll(async () => {
      lentDatabase = await createDatabase()
    })
    afterAll(() => lentDatabase.drop())

    it.each(["class", "appointment"] as const)("never sell a place of a %s twice", async (kind) => {
      const outcome = await meet(`${lentDatabase.url}?schema=${kind}`, kind, async (id) => {
        const client = new Client({ connectionString: lentDatabase.superuserUrl })
        await client.connect()
        await client.query(`update ${kind}.bookings set expires_at = $1 where id = $2`, [between(), id])
        await client.end()
      })
      expect(outcome).toEqual({ sold: 409, confirmed: 200, live: 1 })
    })

    it("are reported by doctor with the clock difference", async () => {
      const cwd = folder()
      const env = { ...keys, ...clockOff(-apartMs) }
      const database = ["--database", `${lentDatabase.url}?schema=examined`]
      // `doctor` reports only the missing migrations until they are applied.
      expect(await trailbook(["migrate", ...database], { cwd, env: keys })).toMatchObject({ code: 0 })
      const { stdout } = await program(["doctor", "--port", "0", "--outbox", cwd, ...database], { cwd, env })
      expect(stdout).toMatch(/FAULT {2}clocks +this machine's clock is (9|10)\d{3} ms behind the database's/)
    })
  })
})

it("doctor reports places whose holds expired early because a server's clock was ahead", async () => {
  const cwd = folder()
  const database = ["--database", "sqlite:a.sqlite"]
  await answer(["org", "create", ...database, "--name", "A", "--timezone", "UTC"], { cwd })
  const file = new Database(join(cwd, "a.sqlite"))
  file.exec(`insert into offerings (org_id, id, kind, name, description, location, duration_minutes, capacity,
      max_per_booking, price_cents, buffer_minutes, min_notice_minutes, max_advance_days, max_periods, active, metadata,
      hours, created_at, longest_booking_ms, judged_at)
    select id, 'o', 'appointment', 'Fitting', '', '', 60, 1, 1, 0, 0, 0, 1, 1, 1, '{}', '[]', 0, 0, ${
    Date.now() + 60_000
  }
    from orgs`)
  file.close()
  const { stdout } = await trailbook(["doctor", ...database, "--port", "0"], { cwd })
  expect(stdout).toMatch(/FAULT {2}clocks +holds expired early because a clock was ahead/)
})
