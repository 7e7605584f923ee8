import { Hono } from "hono"
import type { ContentfulStatusCode } from "hono/utils/http-status"
import { TrailbookError } from "trailbook"
import type { openOutfitter } from "./outfitter.ts"

type Outfitter = Awaited<ReturnType<typeof openOutfitter>>

/** A shop that sells trips on its pages and serves the API to its staff. */
export const shop = (outfitter: Outfitter) =>
  new Hono()
    .get("/trips", async ({ json }) => {
      const { data } = await outfitter.offerings.list()
      return json(data.filter(({ active }) => active).map(({ id, name, price_cents }) => ({ id, name, price_cents })))
    })
    .get("/trips/:id/times", async ({ json, req }) => {
      const { data } = await outfitter.availability.get({ id: req.param("id") })
      return json(data.filter(({ remaining }) => remaining > 0))
    })
    .post("/trips/:id/book", async ({ json, req }) => {
      const order = await req.json().catch(() => null)
      // Trailbook validates the fields.
      if (typeof order !== "object" || order === null) return json({ error: "The body must be a JSON object." }, 400)
      const { email, people, starts_at } = order
      const booking = await outfitter.as({ source: "widget" }).bookings.create({
        offering_id: req.param("id"),
        starts_at,
        quantity: people,
        customer: { email }
      })
      return json({ reference: booking.reference, status: booking.status }, 201)
    })
    // Trailbook serves everything under /booking: guests book at /booking/book/salida-river-co, the REST API is at
    // /booking/v1, and its reference is at /booking/reference.
    .all("/booking/*", ({ req }) => outfitter.handler(req.raw))
    .onError((error, { json, text }) => {
      if (error instanceof TrailbookError) return json({ error: error.message }, error.status as ContentfulStatusCode)
      console.error(error)
      return text("Try again later.", 500)
    })
