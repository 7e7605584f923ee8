import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit/suite"
import { allLaws } from "../../../test/laws/engineLaws.ts"
import { runs } from "../../../test/runs.ts"
import { reusedStorage } from "./reusedStorage.ts"

suite("Postgres", reusedStorage, { reference: Memory.layer, laws: allLaws, runs: runs(20, 3, 5) })
