import { Tasks } from "@trailbook/core/task/Tasks"
import * as Effect from "effect/Effect"
import { type AnyJob, repeated } from "../Job.ts"

/**
 * Takes away what was given up 30 days ago.
 *
 * @category jobs
 */
export const forgetting: Effect.Effect<AnyJob, never, Tasks> = Effect.flatMap(
  Tasks,
  ({ forget }) => repeated({ name: "forgetting", pause: "1 hour", work: forget(1000), kind: "removed" })
)
