import { UnitOfWork } from "@trailbook/core/port"
import { Database } from "@trailbook/sql"
import * as Effect from "effect/Effect"

/** Runs a custom statement in the current transaction. */
export const moveBoats = (from: string, to: string) =>
  Effect.gen(function*() {
    const { run } = yield* UnitOfWork
    const { execute } = yield* Database
    return yield* run(
      execute<{ readonly id: string }>("update offerings set location = $1 where location = $2 returning id", [
        to,
        from
      ])
    )
  })
