import { RoundTrip } from "@trailbook/postgres/client/RoundTrip"
import * as Effect from "effect/Effect"
import { Pool, type PoolClient } from "pg"

export interface Counts {
  readonly trips: number
  readonly statements: number
}

/** A pool that counts the round trips of its clients, and their statements. */
export const countingPool = (url: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Pool({ connectionString: url })),
      (pool) => Effect.promise(() => pool.end())
    ),
    (pool) => {
      let counts: Counts = { trips: 0, statements: 0 }
      pool.on("connect", (client: PoolClient) => {
        const query = client.query.bind(client) as (...sent: ReadonlyArray<unknown>) => unknown
        Object.assign(client, {
          query: (...sent: ReadonlyArray<unknown>) => {
            const [first] = sent
            // Background statements share the pool, and none of them is prepared.
            if (first instanceof RoundTrip && first.statements.some(({ name }) => name !== "")) {
              counts = { trips: counts.trips + 1, statements: counts.statements + first.statements.length }
            }
            return query(...sent)
          }
        })
      })
      return {
        pool,
        /** Counts the work of an effect. */
        countIn: <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.suspend(() => {
            const before = counts
            return Effect.map(work, (result) => ({
              result,
              counts: { trips: counts.trips - before.trips, statements: counts.statements - before.statements }
            }))
          })
      }
    }
  )
