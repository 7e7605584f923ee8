import { findUnexplainedHistory, linearizability } from "@trailbook/linearizability"
import { storageUnguarded } from "@trailbook/sql/testing/unguarded"
import { layer } from "@trailbook/sqlite"
import { batchOptions } from "@trailbook/sqlite/batchOptions"
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { temporaryFile } from "./temporaryFile.ts"

const inFile = Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => layer({ filename })))

linearizability("SQLite", inFile, { batches: batchOptions, runs: runs(200, 3, 30) })
linearizability("SQLite", inFile, { batches: batchOptions, clocksDiffer: true, runs: runs(20, 2) })

it("control: storage without transactions returns results that no sequential order explains", async () => {
  const unguarded = Layer.unwrapScoped(
    Effect.map(temporaryFile, (filename) => Layer.provide(storageUnguarded, SqliteDatabase.layer({ filename })))
  )
  const search = findUnexplainedHistory({ batches: batchOptions, seed: 1, runs: 12 })
  assert.isDefined(await Effect.runPromise(Effect.provide(search, unguarded)))
})
