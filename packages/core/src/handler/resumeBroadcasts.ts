import * as Effect from "effect/Effect"
import { Broadcasts } from "../conversation/Broadcasts.ts"
import { TenantScope } from "../port/TenantScope.ts"
import * as Handler from "../task/Handler.ts"

/** Resumes interrupted broadcasts. Never fails permanently, because completed batches stay completed. */
export const resumeBroadcasts = Effect.map(Broadcasts, ({ resume }) =>
  Handler.make({
    triedForMinutes: Infinity,
    read: (tasks) => Effect.succeed(tasks),
    run: (_, { orgId, subjectId: id }) =>
      Effect.as(Effect.provideService(resume({ orgId, id }), TenantScope, [orgId]), "done" as const)
  }))
