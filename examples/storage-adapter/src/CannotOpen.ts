import * as Data from "effect/Data"

/** An error whose message is intended for the operator, who can fix the problem. */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{ readonly message: string }> {}
