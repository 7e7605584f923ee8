import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Prompt } from "./draftPrompt.ts"

/**
 * No draft came. The message is for the log: it names no guest and no words of theirs.
 *
 * @category errors
 */
export class DraftFailed extends Data.TaggedError("DraftFailed")<{
  readonly message: string
}> {}

/**
 * A language model that words replies. It is given text and answers with text: it has
 * no tools, and nothing that it says is carried out or sent. Where there is none, no
 * drafts are made.
 *
 * It is asked outside of units of work, and interrupted when it takes too long.
 *
 * @category ports
 */
export class Drafter extends Context.Tag("@trailbook/core/Drafter")<
  Drafter,
  {
    readonly draft: (prompt: Prompt) => Effect.Effect<string, DraftFailed>
  }
>() {}
