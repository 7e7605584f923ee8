import express from "express"
import { createTrailbook, TrailbookError } from "trailbook"
import { toNodeHandler } from "trailbook/node"

const { PORT = "3000" } = process.env

const outfitter = await createTrailbook({
  database: `sqlite:${process.argv[2] ?? "shop.sqlite"}`,
  org: { name: "Salida River Co.", timezone: "America/Denver" },
  http: { basePath: "/booking", surfaces: ["rest", "pages", "widget"] },
  mailer: "none"
})

const { data } = await outfitter.offerings.list()
if (data.length === 0) {
  await outfitter.offerings.create({ name: "Kayak for an hour", kind: "rental", duration_minutes: 60, capacity: 4 })
  // API callers use their own keys. Each key is shown only once.
  const { api_key } = await outfitter.keys.create({ name: "Boathouse" })
  console.log(`The boathouse's key is ${api_key}`)
}

const app = express()

// Mount it before body parsers, so that the API reports errors in a body itself.
app.use("/booking", toNodeHandler(outfitter))

app.use(express.json())

app.get("/trips", async (_request, response) => {
  const { data } = await outfitter.offerings.list()
  response.json(data.map(({ id, name }) => ({ id, name })))
})

app.post("/trips/:id/book", async ({ body, params }, response) => {
  const booking = await outfitter.as({ source: "widget" }).bookings.create({
    offering_id: params.id,
    starts_at: body.starts_at,
    quantity: body.people,
    customer: { email: body.email }
  })
  response.status(201).json({ reference: booking.reference, status: booking.status })
})

// Express recognizes an error handler by its four parameters.
app.use((error, _request, response, _next) => {
  // `expose` marks errors of Express itself, such as invalid JSON.
  if (error instanceof TrailbookError || error.expose) {
    return response.status(error.status).json({ error: error.message })
  }
  console.error(error)
  response.status(500).send("Try again later.")
})

await outfitter.worker.start()
const server = app.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/trips`)
})
process.once("SIGTERM", () => server.close(() => void outfitter.close()))
