import { migrate } from "@trailbook/postgres"
import * as Effect from "effect/Effect"
import { createDatabase, type Schema } from "../../../test/postgres/database.ts"

/** All tables without rows. */
export const schema: Schema = {
  name: "trailbook",
  fill: async (url) => {
    await Effect.runPromise(migrate({ url }))
  }
}

/**
 * A database with Trailbook's tables, or an empty one, until the scope closes. It is new, because deleted rows of
 * earlier tests distort the statistics of the planner, which slows down laws that store hundreds of rows.
 */
export const database = (of: "tables" | "empty" = "tables") =>
  Effect.acquireRelease(
    Effect.promise(() => createDatabase(of === "tables" ? schema : undefined)),
    (made) => Effect.promise(made.drop)
  )
