import * as Data from "effect/Data"

/** In words for the operator, who is the one to act. */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{ readonly message: string }> {}
