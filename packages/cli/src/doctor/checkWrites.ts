import { writeHeartbeat } from "@trailbook/runtime/service/readinessCheck"
import type { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { type Finding, makeFailedFinding, makePassedFinding } from "./Finding.ts"

/** Checks that the database commits a write. The write changes no data. */
export const checkWrites = (fix: string): Effect.Effect<Finding, never, Database> =>
  writeHeartbeat.pipe(
    Effect.as(makePassedFinding("writing", "the database accepts writes")),
    Effect.catchAllDefect((defect) =>
      Effect.succeed(makeFailedFinding("writing", defect instanceof Error ? defect.message : String(defect), fix))
    )
  )
