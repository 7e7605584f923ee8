import { UnusedFiles } from "@trailbook/core/file/UnusedFiles"
import * as Effect from "effect/Effect"
import { type AnyJob, repeated } from "../Job.ts"

/**
 * Takes away files that were uploaded and that no message has used within a day.
 * Two workers that look at once take each away once.
 *
 * @category jobs
 */
export const unusedFiles: Effect.Effect<AnyJob, never, UnusedFiles> = Effect.flatMap(
  UnusedFiles,
  ({ sweep }) => repeated({ name: "files", pause: "10 minutes", work: sweep(100), kind: "removed" })
)
