import * as Effect from "effect/Effect"
import * as Handler from "../task/Handler.ts"

/**
 * A task that is done once this was done. What fails without saying that it is for good is tried again.
 *
 * @category running
 */
export const completeAfter = (
  work: Effect.Effect<unknown, { readonly message: string; readonly permanent?: boolean }>
): Effect.Effect<"done", Handler.TaskFailed> =>
  Effect.mapBoth(work, {
    onSuccess: () => "done" as const,
    onFailure: ({ message, permanent = false }) => new Handler.TaskFailed({ message, permanent })
  })
