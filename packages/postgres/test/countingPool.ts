import { RoundTrip } from "@trailbook/postgres/client/RoundTrip"
import * as Effect from "effect/Effect"
import { Pool, type PoolClient } from "pg"

/** A pool that records its clients' round trips, with the statements in each one. */
export const countingPool = (url: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Pool({ connectionString: url })),
      (pool) => Effect.promise(() => pool.end())
    ),
    (pool) => {
      let trips: ReadonlyArray<ReadonlyArray<string>> = []
      pool.on("connect", (client: PoolClient) => {
        const query = client.query.bind(client) as (...sent: ReadonlyArray<unknown>) => unknown
        Object.assign(client, {
          query: (...args: ReadonlyArray<unknown>) => {
            const [first] = args
            // Ignore background statements. They share the pool, and no background statement is prepared.
            if (first instanceof RoundTrip && first.statements.some(({ name }) => name !== "")) {
              trips = [...trips, first.statements.map(({ text }) => text)]
            }
            return query(...args)
          }
        })
      })
      return {
        pool,
        /** Runs an effect and counts its round trips and statements. */
        countIn: <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.suspend(() => {
            trips = []
            return Effect.map(work, (result) => {
              /** The tables whose rows each round trip locked. */
              const lockedTables = trips.map((texts) => texts.flatMap((text) => lockedTable.exec(text)?.[1] ?? []))
              return {
                result,
                locked: lockedTables.filter((tables) => tables.length > 0),
                counts: { trips: trips.length, statements: trips.flat().length }
              }
            })
          })
      }
    }
  )

const lockedTable = /"trailbook"\.(\w+)[^]*for no key update of/
