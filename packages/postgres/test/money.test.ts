import { moneyLaws } from "../../../test/money/moneyLaws.ts"
import { runs } from "../../../test/runs.ts"
import { reusedStorage } from "./reusedStorage.ts"

moneyLaws("Postgres", reusedStorage, { stories: runs(60, 3, 15) })
