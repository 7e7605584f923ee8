import { heartbeat } from "@trailbook/runtime/service/databaseAnswers"
import type { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { type Finding, makeFault, makePass } from "./Finding.ts"

/** Checks that the database commits a write. The write changes no data. */
export const checkWrites = (fix: string): Effect.Effect<Finding, never, Database> =>
  heartbeat.pipe(
    Effect.as(makePass("writing", "the database accepts writes")),
    Effect.catchAllDefect((defect) =>
      Effect.succeed(makeFault("writing", defect instanceof Error ? defect.message : String(defect), fix))
    )
  )
