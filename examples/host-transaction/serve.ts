import { serve } from "@hono/node-server"
import { Pool } from "pg"
import { createTrailbook, postgres } from "trailbook"
import { shop } from "./shop.ts"
import { sellWithDrizzle } from "./withDrizzle.ts"
import { sellWithKysely } from "./withKysely.ts"

const { DATABASE_URL, PORT = "3000" } = process.env
const sellWith = { drizzle: sellWithDrizzle, kysely: sellWithKysely }[process.argv[2] ?? ""]
if (sellWith === undefined || DATABASE_URL === undefined) {
  console.error("Usage: DATABASE_URL=postgres://… tsx serve.ts drizzle|kysely")
  process.exit(2)
}

const pool = new Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 5000 })
// The pool emits this event when it loses an idle connection, and then opens a new connection. Without a listener, the
// event would stop the program.
pool.on("error", ({ message }) => console.error(message))
await pool.query("create table if not exists orders (booking_id text primary key, lunches integer not null)")
const outfitter = await createTrailbook({
  database: postgres({ pool, schema: "booking" }),
  org: { name: "Salida River Co.", timezone: "America/Denver" },
  mailer: "none"
})
const { data } = await outfitter.offerings.list()
if (data.length === 0) {
  await outfitter.offerings.create({ name: "Kayak for an hour", kind: "rental", duration_minutes: 60, capacity: 4 })
}
await outfitter.worker.start()

const { fetch } = shop(outfitter, sellWith(outfitter, pool))
const server = serve({ fetch, hostname: "127.0.0.1", port: Number(PORT) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/trips`)
})
process.once("SIGTERM", () => {
  server.close(async () => {
    await outfitter.close()
    await pool.end()
  })
})
