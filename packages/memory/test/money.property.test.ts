import * as Memory from "@trailbook/memory"
import { moneyLaws } from "../../../test/money/moneyLaws.ts"
import { isLong, runs, seed } from "../../../test/runs.ts"

moneyLaws("memory", Memory.layer, isLong ? { stories: runs(2000, 40, 200), seed } : { stories: 15 })
