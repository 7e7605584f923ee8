import { layer } from "@trailbook/sqlite"
import { moneyLaws } from "../../../test/money/moneyLaws.ts"
import { runs } from "../../../test/runs.ts"

moneyLaws("SQLite", layer({ filename: ":memory:" }), { stories: runs(100, 4, 25) })
