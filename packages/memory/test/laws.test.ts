import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit"
import { runs } from "../../../test/runs.ts"

// Memory is the reference, so this model test compares batched with unbatched bookings.
suite("memory", Memory.layer, { reference: Memory.layer, runs: runs(20, 3) })
