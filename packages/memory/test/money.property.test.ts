import * as Memory from "@trailbook/memory"
import { moneyLaws } from "@trailbook/testkit/money/moneyLaws"
import { isLong, runs, seed } from "../../../test/runs.ts"

moneyLaws("memory", Memory.layer, isLong ? { stories: runs(2000, 40, 200), seed } : { stories: 15 })
