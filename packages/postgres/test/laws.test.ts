import * as Memory from "@trailbook/memory"
import { layer } from "@trailbook/postgres"
import { suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { allLaws } from "../../../test/laws/engineLaws.ts"
import { runs } from "../../../test/runs.ts"
import { database } from "./schema.ts"

const storage = Layer.unwrapScoped(Effect.map(database(), ({ url }) => layer({ url })))

suite("Postgres", storage, { reference: Memory.layer, laws: allLaws, runs: runs(20, 3, 5) })
