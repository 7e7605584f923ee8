import * as Effect from "effect/Effect"
import * as Handler from "../task/Handler.ts"

/** Runs the work of a task. A failure that is not marked as permanent is retried. */
export const completeAfter = (
  work: Effect.Effect<unknown, { readonly message: string; readonly permanent?: boolean }>
): Effect.Effect<"done", Handler.TaskFailed> =>
  Effect.mapBoth(work, {
    onSuccess: () => "done" as const,
    onFailure: ({ message, permanent = false }) => new Handler.TaskFailed({ message, permanent })
  })
