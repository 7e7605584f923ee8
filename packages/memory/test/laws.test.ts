import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit/suite"
import { allLaws } from "../../../test/laws/engineLaws.ts"
import { runs } from "../../../test/runs.ts"

// The memory adapter is its own reference here, so the model test compares batched with unbatched bookings.
suite("memory", Memory.layer, { reference: Memory.layer, laws: allLaws, runs: runs(20, 3) })
