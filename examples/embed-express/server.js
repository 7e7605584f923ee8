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
  // Callers of the API have keys of their own, each shown this one time.
  const { api_key } = await outfitter.keys.create({ name: "Boathouse" })
  console.log(`The boathouse's key is ${api_key}`)
}

const app = express()

// Before anything reads bodies: what is wrong with a request of the API is then said in the API's own words.
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

// Four parameters tell Express that it is for errors.
app.use((error, _request, response, _next) => {
  // The second is what Express itself refuses, such as a body that is no JSON.
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
