/** Scrapes a real server on Postgres after real requests. */
import { startServer } from "@trailbook/server"
import { Pool } from "pg"
import { afterAll, assert, beforeAll, describe, it, onTestFinished, vi } from "vitest"
import { createDatabase, type Database } from "../../../test/postgres/database.ts"
import { folder, request, trailbook } from "../../cli/test/program.ts"

let database: Database
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const names = [
  "trailbook_agent_runs_total",
  "trailbook_booking_batch_size",
  "trailbook_booking_batch_wait_seconds",
  "trailbook_bookings_total",
  "trailbook_database_pool_connections",
  "trailbook_database_retries_total",
  "trailbook_event_loop_lag_seconds",
  "trailbook_http_request_duration_seconds",
  "trailbook_mail_failures_total",
  "trailbook_task_age_seconds",
  "trailbook_tasks_due",
  "trailbook_webhook_lag_seconds"
]

/** Parses a scrape into values keyed by name and labels. */
const parse = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.trimEnd().split("\n").filter((line) => !line.startsWith("#")).map((line) => {
      const [, series = "", value] = /^([a-z_]+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? assert.fail(line)
      return [series, Number(value)]
    })
  )

const start = async (metricsPort: number | undefined) => {
  const lines: Array<{ readonly msg: string; readonly url?: string }> = []
  const log = { write: (line: string) => void lines.push(JSON.parse(line)), flush: () => {} }
  const server = await startServer({
    database: { _tag: "Postgres", url: database.url, schema: "trailbook", prepare: true },
    secretsKeys: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
    outbox: folder(),
    files: { _tag: "Folder", directory: folder() },
    port: 0,
    // Nothing listens here, so every email fails.
    smtpUrl: "smtp://127.0.0.1:1",
    metricsPort,
    log
  })
  onTestFinished(server.stop)
  return { ...server, metricsUrl: lines.find(({ msg }) => msg === "Serving metrics")?.url }
}

describe("GET /metrics", () => {
  it("returns exactly the documented metrics, without personal data", async () => {
    const { baseUrl, metricsUrl = "", origin } = await start(0)
    assert.match(metricsUrl, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    const scrape = async () => (await fetch(metricsUrl)).text()
    const before = parse(await scrape())
    const increase = (after: ReadonlyMap<string, number>, series: string) =>
      (after.get(series) ?? 0) - (before.get(series) ?? 0)

    const creation = await trailbook(
      ["org", "create", "--database", database.url, "--name", "Salida", "--timezone", "America/Denver", "--json"],
      { cwd: folder() }
    )
    const { api_key } = JSON.parse(creation.stdout)
    const post = (path: string, body: object) =>
      request(`${baseUrl}${path}`, api_key, { method: "POST", body: JSON.stringify(body) })
    const { body: offering } = await post("/offerings", {
      name: "Rafting",
      kind: "class",
      capacity: 2,
      max_advance_days: 730
    })
    const starts_at = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const { body: sessions } = await post("/sessions", { offering_id: offering.id, starts_at })
    const booking = {
      offering_id: offering.id,
      session_id: sessions.data?.[0]?.id,
      customer: { name: "Ada Lovelace", email: "ada@example.com" }
    }
    const statuses = await Promise.all([1, 2, 3].map(async () => (await post("/bookings", booking)).status))
    assert.sameMembers(statuses, [201, 201, 409])
    await fetch(`${origin}/no/such/page/ada@example.com`)

    const text = await vi.waitUntil(async () => {
      const text = await scrape()
      return increase(parse(text), "trailbook_mail_failures_total{reason=\"unreachable\"}") > 0 && text
    }, { timeout: 60_000 })
    const types = Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name]) => name)
    assert.sameMembers(types, names)
    assert.notMatch(text, /Ada|Lovelace|example\.com/)

    const after = parse(text)
    const labels = (operation: string, status: string | number) => `{operation="${operation}",status="${status}"}`
    const requests = (operation: string, status: number) =>
      increase(after, `trailbook_http_request_duration_seconds_count${labels(operation, status)}`)
    assert.strictEqual(increase(after, `trailbook_bookings_total${labels("create", "confirmed")}`), 2)
    assert.strictEqual(increase(after, `trailbook_bookings_total${labels("create", "refused")}`), 1)
    assert.strictEqual(requests("bookings.create", 201), 2)
    assert.strictEqual(requests("bookings.create", 409), 1)
    assert.strictEqual(requests("other", 404), 1)
    assert.strictEqual(increase(after, "trailbook_booking_batch_wait_seconds_count"), 3)
    assert.strictEqual(increase(after, "trailbook_booking_batch_size_sum"), 3)
    assert.isAbove(after.get("trailbook_database_pool_connections{pool=\"units\",status=\"idle\"}") ?? 0, 0)
  })

  it("reports the age of due tasks and of undelivered events", async () => {
    const { metricsUrl = "" } = await start(0)
    const pool = new Pool({ connectionString: database.superuserUrl })
    onTestFinished(() => pool.end())
    const leaseUpdate = "lease_until = 9000000000000000"
    await pool.query(`update trailbook.tasks set queue = 'money', due_at = due_at - 36000000, ${leaseUpdate}`)
    const metrics = parse(await (await fetch(metricsUrl)).text())
    assert.isAbove(metrics.get("trailbook_tasks_due{queue=\"money\"}") ?? 0, 0)
    assert.isAbove(metrics.get("trailbook_task_age_seconds{queue=\"money\"}") ?? 0, 3500)
    assert.strictEqual(metrics.get("trailbook_tasks_due{queue=\"bulk\"}"), 0)
    assert.strictEqual(metrics.get("trailbook_webhook_lag_seconds"), 0)

    await pool.query(
      `insert into trailbook.webhooks (org_id, id, url, events, active, sealed_secret, created_at, cursor, lease_until)
        select org_id, 'w', 'https://example.com', '["*"]', true, 's', 0, 0, 9000000000000000
        from trailbook.event_counters`
    )
    // Delete the webhook after the test, because a server refuses to start if it cannot decrypt a secret.
    onTestFinished(async () => void await pool.query("delete from trailbook.webhooks"))
    await pool.query("update trailbook.event_counters set undelivered = true")
    await pool.query("update trailbook.events set created_at = created_at - 3600000")
    const later = parse(await (await fetch(metricsUrl)).text())
    assert.isAbove(later.get("trailbook_webhook_lag_seconds") ?? 0, 3500)
  })

  it("is served only on its own port", async () => {
    const { metricsUrl, origin } = await start(undefined)
    assert.isUndefined(metricsUrl)
    assert.strictEqual((await fetch(`${origin}/metrics`)).status, 404)
    const { metricsUrl: other = "" } = await start(0)
    assert.strictEqual((await fetch(new URL("/v1/org", other))).status, 404)
    assert.strictEqual((await fetch(other, { method: "POST" })).status, 404)
  })
})
