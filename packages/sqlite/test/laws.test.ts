import { suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer } from "@trailbook/sqlite"
import { temporaryFile } from "./temporaryFile.ts"

suite("SQLite", Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => layer({ filename }))))
suite("SQLite in memory", layer({ filename: ":memory:" }))
