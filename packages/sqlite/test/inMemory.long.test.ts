import * as Memory from "@trailbook/memory"
import { layer } from "@trailbook/sqlite"
import { pathSuite } from "../../../test/pathSuite.ts"

// All transactions share one connection, so a writer waits for earlier snapshots.
pathSuite("SQLite in memory", layer({ filename: ":memory:" }), {
  reference: Memory.layer,
  knownGaps: ["transactions/snapshot-waits-for-none"]
})
