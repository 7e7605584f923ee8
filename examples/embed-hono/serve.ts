import { serve } from "@hono/node-server"
import { shop } from "./app.ts"
import { openOutfitter } from "./outfitter.ts"

const { PORT = "3000", STAFF_TOKEN = "let-me-in" } = process.env
const outfitter = await openOutfitter(`sqlite:${process.argv[2] ?? "shop.sqlite"}`, STAFF_TOKEN)

const { data } = await outfitter.offerings.list()
if (data.length === 0) {
  await outfitter.offerings.create({ name: "Kayak for an hour", kind: "rental", duration_minutes: 60, capacity: 4 })
}
await outfitter.worker.start()

const server = serve({ fetch: shop(outfitter).fetch, hostname: "127.0.0.1", port: Number(PORT) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/trips`)
})
process.once("SIGTERM", () => server.close(() => void outfitter.close()))
