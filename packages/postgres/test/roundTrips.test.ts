/** Without load, the latency of a booking and its confirmation is determined by the number of round trips. */
import { assert, it } from "@effect/vitest"
import { layer } from "@trailbook/postgres"
import { batchOptions } from "@trailbook/postgres/batchOptions"
import * as Effect from "effect/Effect"
import { Pool, type PoolClient } from "pg"
import { rafting } from "../../../test/rafting.ts"
import { database } from "./schema.ts"

/** A pool that counts the round trips of its clients. */
const counting = (url: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Pool({ connectionString: url })),
      (pool) => Effect.promise(() => pool.end())
    ),
    (pool) => {
      let trips = 0
      pool.on("connect", (client: PoolClient) => {
        const query = client.query.bind(client) as (...sent: ReadonlyArray<unknown>) => unknown
        Object.assign(client, {
          query: (...sent: ReadonlyArray<unknown>) => {
            trips++
            return query(...sent)
          }
        })
      })
      return { pool, tripsSince: (before = 0) => trips - before }
    }
  )

it.scopedLive("a single booking takes 3 round trips to the database, and its confirmation takes 3 more", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    const { pool, tripsSince } = yield* counting(url)
    yield* Effect.gen(function*() {
      const { book, call } = yield* rafting(batchOptions)
      const hold = book({ hold_minutes: 30, customer: { email: "ann@a.co" } })
      const trips: Array<readonly [booked: number, confirmed: number]> = []
      for (let time = 0; time < 20; time++) {
        const before = tripsSince()
        const held = (yield* hold) as { readonly id: string }
        const booked = tripsSince(before)
        yield* call("bookings.confirm", { id: held.id })
        trips.push([booked, tripsSince(before + booked)])
      }
      // Background ANALYZE statements share the pool and add round trips to the first runs, so the minimum is compared.
      const fewest = [0, 1].map((which) => Math.min(...trips.map((one) => one[which] ?? Infinity)))
      assert.deepStrictEqual(fewest, [3, 3])
    }).pipe(Effect.provide(layer({ pool })))
  }))
