import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { engineLaws } from "../../../test/laws/engineLaws.ts"
import { layer } from "../src/JournalStorage.ts"
import { temporaryFile } from "./temporaryFile.ts"

const journal = Layer.unwrapScoped(Effect.map(temporaryFile, layer))

suite("booking engine on the journal", journal, { reference: Memory.layer, laws: engineLaws, runs: 3 })
