import { expect, it } from "@effect/vitest"
import { Database } from "@trailbook/sql/Database"
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"

/**
 * The row counts of successive queries. Short and long results are read differently, and the choice depends on the row
 * counts of earlier queries.
 */
const sizes = FastCheck.array(FastCheck.oneof(FastCheck.nat(3), FastCheck.nat(40)), { maxLength: 12 })

it.effect.prop(
  "a query returns all of its rows even after larger or smaller queries",
  [sizes],
  ([sizes]) =>
    Effect.gen(function*() {
      const { query } = yield* Database
      for (const size of sizes) {
        const numbers = Array.from({ length: size }, (_, at) => at)
        const rows = yield* query("select value as one, value * 2 as two, null as none from json_each($1)", [
          JSON.stringify(numbers)
        ])
        expect(rows).toEqual(numbers.map((one) => ({ one, two: one * 2, none: null })))
      }
    }).pipe(
      Effect.provide(SqliteDatabase.layer({ filename: ":memory:" })),
      Effect.scoped
    ),
  { fastCheck: { numRuns: 50 } }
)
