import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { fault, type Finding, makePassed } from "./Finding.ts"

/** Checks that a write transaction can start. The transaction is rolled back. */
export const writable = (found: string, fix: string): Effect.Effect<Finding, never, Database> =>
  Effect.flatMap(Database, ({ transaction }) =>
    Effect.flip(transaction(Effect.fail("nothing to keep"))).pipe(
      Effect.as(makePassed("writing", found)),
      Effect.catchAllDefect((defect) =>
        Effect.succeed(fault("writing", defect instanceof Error ? defect.message : String(defect), fix))
      )
    ))
