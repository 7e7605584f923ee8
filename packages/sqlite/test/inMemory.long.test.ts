import * as Memory from "@trailbook/memory"
import { layer } from "@trailbook/sqlite"
import { suite } from "@trailbook/testkit/suite"

// One connection for all: a writer waits for the snapshots before it.
suite("SQLite in memory", layer({ filename: ":memory:" }), {
  reference: Memory.layer,
  knownGaps: ["transactions/snapshot-waits-for-none"]
})
