import * as Memory from "@trailbook/memory"
import { layer } from "@trailbook/sqlite"
import { suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runs } from "../../../test/runs.ts"
import { temporaryFile } from "./temporaryFile.ts"

const reference = Memory.layer

suite("SQLite", Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => layer({ filename }))), { reference })
// One connection for all: a writer waits for the snapshots before it.
suite("SQLite in memory", layer({ filename: ":memory:" }), {
  reference,
  runs: runs(20, 5),
  knownGaps: ["transactions/snapshot-waits-for-none"]
})
