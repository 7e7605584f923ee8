import { migrate } from "@trailbook/postgres"
import * as Effect from "effect/Effect"
import { createDatabase, type Schema } from "../../../test/postgres/database.ts"

/** Every table, and no row. */
export const schema: Schema = {
  name: "trailbook",
  fill: async (url) => {
    await Effect.runPromise(migrate({ url }))
  }
}

/**
 * A database with our tables, or an empty one, until the scope closes. Nobody has used it before: where rows were deleted,
 * statements are planned by what is left of them, and a law that stores hundreds of rows at once waits for that.
 */
export const database = (of: "tables" | "empty" = "tables") =>
  Effect.acquireRelease(
    Effect.promise(() => createDatabase(of === "tables" ? schema : undefined)),
    (made) => Effect.promise(made.drop)
  )
