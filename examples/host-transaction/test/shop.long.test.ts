/**
 * Starts the shop with each library as described in its README, against a real Postgres server. An order is stored
 * completely or not at all.
 */
import { join } from "node:path"
import { Pool } from "pg"
import { assert, describe, expect, it, onTestFinished } from "vitest"
import { startProgram } from "../../../test/examples/program.ts"
import { createDatabase } from "../../../test/postgres/database.ts"

const program = join(import.meta.dirname, "../serve.ts")

const openShop = async (library: string) => {
  const database = await createDatabase()
  const pool = new Pool({ connectionString: database.url, max: 1 })
  onTestFinished(async () => {
    await pool.end()
    await database.drop()
  })
  const trips = await startProgram(program, { args: [library], env: { DATABASE_URL: database.url } })()
  const rows = async () => {
    // Row-level security shows only the rows of the selected orgs, so the test selects all orgs.
    await pool.query("select set_config('booking.orgs', '*', false)")
    return (await pool.query(
      "select lunches, b.quantity::int from orders o full join booking.bookings b on b.id = o.booking_id"
    ))
      .rows
  }
  /** Returns how many database connections the shop has open. */
  const connected = async () => {
    const { rows: [row] } = await pool.query(
      "select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    )
    return Number(row.others)
  }
  const disconnect = () =>
    pool.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    )
  return { connected, disconnect, trips, rows }
}

it("the shop and its worker reconnect after the database closes their connections", async () => {
  const { connected, disconnect, trips } = await openShop("kysely")
  assert.strictEqual((await fetch(trips)).status, 200)
  await disconnect()
  // The worker reconnects automatically, but nothing would restart a shop that has exited.
  await expect.poll(connected).toBeGreaterThan(0)
  assert.strictEqual((await fetch(trips)).status, 200)
})

describe.each(["drizzle", "kysely"])("a shop with %s", (library) => {
  it("sells a trip and its lunches in one transaction", async () => {
    const { rows, trips } = await openShop(library)
    const [kayak] = await (await fetch(trips)).json()
    const { starts_at } = (await (await fetch(`${trips}/${kayak.id}/times`)).json()).at(-1)
    const book = async (people: number, lunches: number) => {
      const body = JSON.stringify({ starts_at, people, lunches, email: "ada@example.com" })
      return (await fetch(`${trips}/${kayak.id}/book`, { method: "POST", body })).status
    }
    assert.strictEqual(await book(2, 2), 201)
    assert.strictEqual(await book(1, 5), 409, "no lunch is left, so no kayak is sold")
    assert.strictEqual(await book(3, 1), 409, "no kayak is left, so no lunch is sold")
    assert.deepStrictEqual(await rows(), [{ quantity: 2, lunches: 2 }])

    const answers = await Promise.all(Array.from({ length: 8 }, () => book(1, 1)))
    assert.deepStrictEqual(answers.filter((status) => status !== 409), [201, 201])
    assert.sameDeepMembers(await rows(), [
      { quantity: 2, lunches: 2 },
      { quantity: 1, lunches: 1 },
      { quantity: 1, lunches: 1 }
    ])
  })
})
