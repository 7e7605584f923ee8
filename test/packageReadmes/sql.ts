import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { Database } from "@trailbook/sql"
import * as Effect from "effect/Effect"

/** A statement of your own in one unit of work with whatever else is done in it. */
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
