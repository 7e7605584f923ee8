import { assert, it } from "@effect/vitest"
import { analyzeAfterGrowth, analyzeGrownTables } from "@trailbook/postgres/autoAnalyze"
import { acquireConnection } from "@trailbook/postgres/client/pool"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { Pool } from "pg"
import { database } from "./schema.ts"

it.scopedLive("the server analyzes a table again only after the table doubles in size", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new Pool({ connectionString: url, max: 1 }).on("error", () => {})),
      (pool) => Effect.promise(() => pool.end())
    )
    const ask = <Row>(text: string) => Effect.promise(async () => (await pool.query(text)).rows as ReadonlyArray<Row>)
    const pageCount = Effect.map(
      ask<{ pages: number }>("select relpages as pages from pg_class where oid = 'trailbook.orgs'::regclass"),
      ([row]) => row?.pages
    )
    const grow = (from: number, to: number) =>
      ask(`begin; set local trailbook.orgs = '*';
        insert into trailbook.orgs select 'o' || n, repeat('x', 200), 's' || n, 'utc', 'usd', 'free', null, false, null, null,
          6, 20, 21, 7, null, 0 from generate_series(${from}, ${to}) n;
        commit`)
    const analysed = Effect.zipRight(
      analyzeGrownTables(acquireConnection(pool, { prepare: false, answerWithinMs: 0 }), "trailbook"),
      pageCount
    )
    yield* grow(1, 300)
    const first = yield* analysed
    assert.isAbove(first ?? 0, 5)
    yield* grow(301, 450)
    assert.strictEqual(yield* analysed, first)
    yield* grow(451, 1000)
    assert.isAbove((yield* analysed) ?? 0, 2 * (first ?? 0))
  }))

it.scoped("the server checks table sizes after 4, 8, 16 … transactions", () =>
  Effect.gen(function*() {
    let checks = 0
    const count = yield* analyzeAfterGrowth(
      Effect.suspend(() => {
        checks++
        return Effect.fail("no connection in this test")
      }),
      "trailbook"
    )
    const after = (units: number) =>
      Effect.zipRight(Effect.repeatN(Effect.zipRight(count, Effect.yieldNow()), units - 1), Effect.sync(() => checks))
    assert.deepStrictEqual([yield* after(3), yield* after(1), yield* after(3), yield* after(1), yield* after(8)], [
      0,
      1,
      1,
      2,
      3
    ])
    yield* TestClock.adjust("4 seconds")
    assert.strictEqual(yield* after(2), 3)
    yield* TestClock.adjust("1 seconds")
    assert.strictEqual(yield* after(2), 4)
    yield* TestClock.adjust("1 days")
    assert.strictEqual(checks, 4)
  }))
