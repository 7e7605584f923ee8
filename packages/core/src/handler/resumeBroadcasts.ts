import * as Effect from "effect/Effect"
import { Broadcasts } from "../conversation/Broadcasts.ts"
import { TenantScope } from "../port/TenantScope.ts"
import * as Handler from "../task/Handler.ts"

/**
 * Broadcasts that were begun and left: what is left of them is written. It is never
 * given up, for each part that was done stays done.
 *
 * @category handlers
 */
export const resumeBroadcasts = Effect.map(Broadcasts, ({ resume }) =>
  Handler.make({
    triedForMinutes: Infinity,
    read: (tasks) => Effect.succeed(tasks),
    run: (_, { orgId, subjectId: id }) =>
      Effect.as(Effect.provideService(resume({ orgId, id }), TenantScope, [orgId]), "done" as const)
  }))
