import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit"

// Memory is the reference, so this model test compares batched with unbatched bookings.
suite("memory", Memory.layer, { reference: Memory.layer, runs: 4 })
