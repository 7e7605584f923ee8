import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"

/** Whether the database answers now: what `/readyz` asks. */
export const databaseAnswers: Effect.Effect<Effect.Effect<boolean>, never, Database> = Effect.map(
  Database,
  ({ query }) =>
    Effect.as(query("select 1"), true).pipe(
      Effect.catchAllDefect((defect) => Effect.as(Effect.logError("The database does not answer.", defect), false))
    )
)
