/** Tests a host's payment function that never returns. It must block only the calls that wait for it. */
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder } from "../../../cli/test/program.ts"
import { ada, createHostDatabase, openTrailbook, salida, schema, trip } from "./outfit.ts"

const places = {
  SQLite: async () => `sqlite:${join(folder(), "river.sqlite")}`,
  Postgres: async () => `${(await createHostDatabase()).url}?schema=${schema}`
}

const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

const others = 4

describe.each(Object.entries(places))("an embedded Trailbook on %s", (_, place) => {
  it.each(["connected", "checkout"] as const)(
    "accepts bookings while the host's function %s hangs",
    async (slow) => {
      const callStarted = gate()
      const answer = gate()
      let hangs = false
      /** The first call after `hangs` is set does not return until the test ends. */
      const slowly = async (which: "connected" | "checkout") => {
        if (which !== slow || !hangs) return
        hangs = false
        callStarted.open()
        await answer.opened
      }
      const trailbook = await openTrailbook({
        database: await place(),
        org: { ...salida, plan: "pro" },
        payments: {
          connected: async () => {
            await slowly("connected")
            return true
          },
          checkout: async ({ reference }) => {
            await slowly("checkout")
            return `https://pay.example.com/${reference}`
          },
          refund: async () => {}
        }
      })
      const where = await trip(trailbook)
      const book = () => trailbook.bookings.create({ ...where, ...ada })
      hangs = true
      let isAnswered = false
      const pendingBooking = book().finally(() => {
        isAnswered = true
      })
      await callStarted.opened
      // These bookings use the same session, so no lock may be held while the host's function runs.
      const bookings = await Promise.all(Array.from({ length: others }, book))
      expect(bookings.map(({ checkout_url, status }) => [status, checkout_url !== null])).toEqual(
        Array.from({ length: others }, () => ["held", true])
      )
      const [first] = bookings
      if (first === undefined) throw new Error("No booking was returned.")
      expect((await trailbook.bookings.cancel({ id: first.id })).status).toBe("cancelled")
      expect(isAnswered).toBe(false)
      answer.open()
      expect((await pendingBooking).status).toBe("held")
    }
  )
})
