import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"

/** The readiness check for `/readyz`: queries the database. */
export const databaseAnswers: Effect.Effect<Effect.Effect<boolean>, never, Database> = Effect.map(
  Database,
  ({ query }) =>
    Effect.as(query("select 1"), true).pipe(
      Effect.catchAllDefect((defect) => Effect.as(Effect.logError("Database does not respond", defect), false))
    )
)
