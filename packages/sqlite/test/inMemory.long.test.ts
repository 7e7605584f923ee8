import * as Memory from "@trailbook/memory"
import { layer } from "@trailbook/sqlite"
import { pathSuite } from "../../../test/pathSuite.ts"

// One connection for all: a writer waits for the snapshots before it.
pathSuite("SQLite in memory", layer({ filename: ":memory:" }), {
  reference: Memory.layer,
  knownGaps: ["transactions/snapshot-waits-for-none"]
})
