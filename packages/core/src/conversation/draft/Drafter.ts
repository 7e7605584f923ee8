import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { DraftPrompt } from "./draftPrompt.ts"

/**
 * The error when no draft could be created. `message` is written to the log, so it must not contain guest data or text
 * written by a guest.
 */
export class DraftFailed extends Data.TaggedError("DraftFailed")<{
  readonly message: string
}> {}

/**
 * A language model that drafts replies. The model only turns text into text: it has no tools, and its output is neither
 * executed nor sent. If no model is set up, drafts are off.
 *
 * The drafter is called outside transactions, and it is interrupted after a timeout.
 */
export class Drafter extends Context.Tag("@trailbook/core/Drafter")<
  Drafter,
  {
    readonly draft: (prompt: DraftPrompt) => Effect.Effect<string, DraftFailed>
  }
>() {}
