import { findUnexplainedHistory, linearizability } from "@trailbook/linearizability"
import { layer } from "@trailbook/postgres"
import { batchOptions } from "@trailbook/postgres/batchOptions"
import * as PostgresDatabase from "@trailbook/postgres/PostgresDatabase"
import { storageUnguarded } from "@trailbook/sql/testing/unguarded"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { database } from "./schema.ts"

const inDatabase = Layer.unwrapScoped(Effect.map(database(), ({ url }) => layer({ url })))

linearizability("Postgres", inDatabase, { batches: batchOptions, runs: runs(200, 2, 30) })
linearizability("Postgres", inDatabase, { batches: batchOptions, clocksDiffer: true, runs: runs(20, 1, 4) })

it("control: storage without transactions returns results that no sequential order explains", async () => {
  const unguarded = Layer.unwrapScoped(
    Effect.map(database(), ({ url }) => Layer.provide(storageUnguarded, PostgresDatabase.layer({ url })))
  )
  const search = findUnexplainedHistory({ batches: batchOptions, seed: 1, runs: 12 })
  assert.isDefined(await Effect.runPromise(Effect.provide(search, unguarded)))
})
