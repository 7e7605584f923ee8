import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer } from "../src/JournalStorage.ts"
import { temporaryFile } from "./temporaryFile.ts"

const journal = Layer.unwrapScoped(Effect.map(temporaryFile, layer))

suite("journal", journal, { reference: Memory.layer, runs: 3 })
