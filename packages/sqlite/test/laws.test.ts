import * as Memory from "@trailbook/memory"
import { layer } from "@trailbook/sqlite"
import { suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { allLaws } from "../../../test/laws/engineLaws.ts"
import { runs } from "../../../test/runs.ts"
import { migratedFile } from "./temporaryFile.ts"

const inFile = Layer.unwrapScoped(Effect.map(migratedFile, (filename) => layer({ filename })))

suite("SQLite", inFile, { reference: Memory.layer, laws: allLaws, runs: runs(20, 2) })
