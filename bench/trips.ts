/**
 * The minimum work for a booking: receiving and answering a request, as many database round trips as an unbatched
 * booking, and one log flush. The round trips run empty statements. The only write is one row that is as long as a
 * booking and has no index.
 */
import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { Client } from "pg"
import type { Ready } from "./server.ts"

export const trips = async (url: string): Promise<Ready> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query("create schema trips; create table trips.booked (said json not null)")
  const app = new Hono().post("/v1/bookings", async (c) => {
    const body = JSON.stringify({ ...await c.req.json<object>(), filled: "x".repeat(500) })
    // One round trip each for the key, the lock, the existing data, and the write.
    await client.query({ name: "key", text: "select 1" })
    await client.query("begin; select 1")
    await client.query({ name: "read", text: "select 2" })
    await client.query(`insert into trips.booked values (${client.escapeLiteral(body)}); commit`)
    return c.body(body, 201, { "content-type": "application/json" })
  })
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve({ port, key: "" }))
  })
}
