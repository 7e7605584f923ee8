import { layer } from "@trailbook/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { moneyLaws } from "../../../test/money/moneyLaws.ts"
import { runs } from "../../../test/runs.ts"
import { database } from "./schema.ts"

const inDatabase = Layer.unwrapScoped(Effect.map(database(), ({ url }) => layer({ url })))

moneyLaws("Postgres", inDatabase, { stories: runs(60, 3, 15) })
