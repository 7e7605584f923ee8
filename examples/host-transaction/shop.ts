import { Hono } from "hono"
import type { ContentfulStatusCode } from "hono/utils/http-status"
import { type Outfitter, TrailbookError } from "trailbook"
import { NoLunch, type Order, type Sale } from "./Order.ts"

/** The shop, independent of the library that it uses for transactions. */
export const shop = (outfitter: Outfitter, sell: (order: Order) => Promise<Sale>) =>
  new Hono()
    .get("/trips", async ({ json }) =>
      json((await outfitter.offerings.list()).data.map(({ id, name }) => ({ id, name }))))
    .get("/trips/:id/times", async ({ json, req }) =>
      json((await outfitter.availability.get({ id: req.param("id") })).data))
    .post("/trips/:id/book", async ({ json, req }) =>
      json(await sell({ ...await req.json(), offering_id: req.param("id") }), 201))
    .onError((error, { json, text }) => {
      if (error instanceof NoLunch) {
        return json({ error: error.message }, 409)
      }
      if (error instanceof TrailbookError) {
        return json({ error: error.message }, error.status as ContentfulStatusCode)
      }
      // `req.json()` throws this error if the body is invalid.
      if (error instanceof SyntaxError) {
        return json({ error: "The body must be JSON." }, 400)
      }
      console.error(error)
      return text("Try again later.", 500)
    })
