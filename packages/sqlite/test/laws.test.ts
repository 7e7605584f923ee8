import { layer } from "@trailbook/sqlite"
import { suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { temporaryFile } from "./temporaryFile.ts"

suite("SQLite", Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => layer({ filename }))))
// One connection for all: a writer waits for the snapshots before it.
suite("SQLite in memory", layer({ filename: ":memory:" }), { knownGaps: ["transactions/snapshot-waits-for-none"] })
