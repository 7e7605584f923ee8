import * as Memory from "@trailbook/memory"
import { moneyLaws } from "@trailbook/testkit/money/moneyLaws"
import { runs } from "../../../test/runs.ts"

moneyLaws("memory", Memory.layer, { stories: runs(2000, 40) })
