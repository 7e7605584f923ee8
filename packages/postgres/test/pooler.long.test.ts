import { assert, describe, it } from "@effect/vitest"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import * as Memory from "@trailbook/memory"
import { CannotConnect, layer } from "@trailbook/postgres"
import { Database } from "@trailbook/sql/Database"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { Pool } from "pg"
import { runs } from "../../../test/runs.ts"
import { ofEachSort } from "./ofEachSort.ts"
import { pooler } from "./pooler.ts"
import { database } from "./schema.ts"

const pooled = Effect.flatMap(database(), ({ url }) => pooler(url))

describe("storage behind a transaction pooler", () => {
  it.live.each(ofEachSort)("satisfies the law $key: $title", ({ check }) =>
    Effect.gen(function*() {
      const { url } = yield* pooled
      const conditions = { runs: runs(6, 2), shrink: false, reference: Memory.layer }
      yield* Effect.provide(check(conditions), layer({ url, prepare: false }))
    }).pipe(Effect.scoped))

  it.scopedLive("limits each query to its actor's org", () =>
    Effect.gen(function*() {
      const { url } = yield* pooled
      yield* Effect.gen(function*() {
        const { execute, query, snapshot } = yield* Database
        const orgs = [
          (yield* seedOneOfEachResource).org.id,
          (yield* seedOneOfEachResource).org.id,
          (yield* seedOneOfEachResource).org.id
        ]
        const text = "select org_id from trailbook.bookings"
        const queries = Array.from({ length: 30 }, (_, n) => {
          const orgId = orgs[n % 3] ?? ""
          const work = [query(text), execute(text), snapshot(query(text))][n % 4 % 3] ?? query(text)
          const actor = makeHostActor({ orgId, scopes: [] })
          return Effect.map(
            Effect.provideService(work, Actor, actor),
            (rows) => assert.deepStrictEqual(rows, [{ org_id: orgId }])
          )
        })
        yield* Effect.all(queries, { concurrency: "unbounded" })
      }).pipe(Effect.provide(layer({ url, prepare: false, units: 3, readers: 3 })))
    }))

  it.scopedLive(
    "refuses to start with prepared statements",
    () =>
      Effect.gen(function*() {
        const { url } = yield* pooled
        const error = yield* Effect.flip(Effect.provide(seedOneOfEachResource, layer({ url })))
        assert.instanceOf(error, CannotConnect)
        assert.include(error.message, "add ?prepare=off to the URL")
      })
  )

  it.scopedLive("refuses prepared statements if only the replica has a pooler", () =>
    Effect.gen(function*() {
      const { url } = yield* database()
      const replica = yield* pooler(url)
      const error = yield* Effect.flip(Effect.provide(seedOneOfEachResource, layer({ url, replica })))
      assert.include(error.message, "add ?prepare=off to the URL")
      yield* Effect.provide(seedOneOfEachResource, layer({ url, replica: { url: replica.url, prepare: false } }))
    }))

  it.scopedLive("explains the fix if a prepared statement is lost", () =>
    Effect.gen(function*() {
      const { url } = yield* pooled
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new Pool({ connectionString: url, max: 1 })),
        (pool) => Effect.promise(() => pool.end())
      )
      const cause = yield* Effect.flip(Effect.sandbox(Effect.provide(seedOneOfEachResource, layer({ pool }))))
      assert.include(Cause.pretty(cause), "set prepare: false")
      yield* Effect.provide(seedOneOfEachResource, layer({ pool, prepare: false }))
    }))
})
