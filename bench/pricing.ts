/**
 * Compares a booking with three rates, two extras, two fees, and a discount code with a booking for the same places at
 * a single price. Both outfitters share one process and one database, and the measurements alternate.
 */
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { freshPostgres } from "./FreshPostgres.ts"
import { openOutfitter, type Outfitter, runCalls, world } from "./messages/outfitter.ts"
import { type Line, median } from "./report.ts"

const rounds = 21
const bookings = 100
const clients = 8
const mostTimes = 1.15

const plain = { quantity: 3 }

const priceFields = {
  party: [
    { rate_id: "adult", quantity: 2 },
    { rate_id: "child", quantity: 1 },
    { rate_id: "infant", quantity: 1 }
  ],
  extras: [{ extra_id: "wetsuit", quantity: 3 }, { extra_id: "photos", quantity: 1 }],
  discount_code: "SPRING"
}

/** Creates an outfitter and returns a function that books with these fields. */
const openBooker = (
  fields: object,
  prepare: (outfitter: Outfitter, offeringId: string) => Effect.Effect<unknown, unknown>
) =>
  Effect.gen(function*() {
    const outfitter = yield* openOutfitter
    const { data: [session] } = yield* outfitter.call("sessions.list", {})
    yield* prepare(outfitter, session.offering_id)
    let guests = 0
    return runCalls(bookings, clients, () =>
      outfitter.call("bookings.create", {
        offering_id: session.offering_id,
        session_id: session.id,
        customer: { email: `guest${guests++}@example.com`, name: "Elena Rodríguez" },
        ...fields
      }))
  })

const setPrices = ({ call }: Outfitter, id: string) =>
  Effect.all([
    call("offerings.update", {
      id,
      pricing: {
        rates: [
          { id: "adult", name: "Adult", price_cents: 9500, places: 1 },
          { id: "child", name: "Child", price_cents: 7500, places: 1, needs_any_of: ["adult"] },
          { id: "infant", name: "Infant", price_cents: 0, places: 0 }
        ],
        extras: [
          { id: "wetsuit", name: "Wetsuit", price_cents: 1500, per: "place" },
          { id: "photos", name: "Photos", price_cents: 3500, per: "booking" }
        ]
      }
    }),
    call("org.update", {
      fees: [
        { id: "park", name: "Park fee", cents: 500, per: "place" },
        { id: "tax", name: "Sales tax", percent_bps: 800, per: "order_value", tax: true }
      ]
    }),
    call("discounts.create", { code: "SPRING", percent_bps: 1000 })
  ])

const measure = (storage: string, url: string): Promise<ReadonlyArray<Line>> => {
  const program = Effect.gen(function*() {
    const single = yield* openBooker(plain, ({ call }, id) => call("offerings.update", { id, price_cents: 9500 }))
    const lines = yield* openBooker(priceFields, setPrices)
    const times: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      // The second measurement inherits garbage from the first, so the order alternates.
      const order = round % 2 === 0 ? [single, lines] as const : [lines, single] as const
      const timeByBooker = new Map<unknown, number>()
      for (const book of order) timeByBooker.set(book, 1 / (yield* book).perSecond)
      // The first round is a warmup.
      if (round > 0) times.push((timeByBooker.get(lines) ?? 0) / (timeByBooker.get(single) ?? 1))
    }
    const ratio = median(times)
    return [{
      what: `${storage}: time per booking with rates, extras, fees, and a code compared with a single price`,
      figure: `${ratio.toFixed(3)} times`,
      promise: { text: `at most ${mostTimes} times`, kept: ratio <= mostTimes }
    }]
  })
  return Effect.runPromise(Effect.provide(program, world(url)))
}

export const pricing = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const sqlite = await measure("SQLite", `sqlite:${join(folder, "pricing.sqlite")}`)
  const postgres = await freshPostgres()
  try {
    return [...sqlite, ...await measure("Postgres", postgres.url)]
  } finally {
    await postgres.stop()
  }
}
