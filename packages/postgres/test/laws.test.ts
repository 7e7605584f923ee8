import * as Memory from "@trailbook/memory"
import { layer } from "@trailbook/postgres"
import { suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { allLaws } from "../../../test/laws/engineLaws.ts"
import { isLong, runs } from "../../../test/runs.ts"
import { database } from "./schema.ts"

const storage = Layer.unwrapScoped(Effect.map(database(), ({ url }) => layer({ url })))

/** Laws that simulate days or many interrupted jobs. `npm test` runs them on memory and SQLite, CI also on Postgres. */
const isSlow = /^(?:agent|parts)\//

const laws = isLong ? allLaws : allLaws.filter(({ key }) => !isSlow.test(key))

suite("Postgres", storage, { reference: Memory.layer, laws, runs: runs(20, 3, 5) })
