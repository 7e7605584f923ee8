import * as Data from "effect/Data"

/**
 * What a request needs is not locked, or was asked for another moment: its booking
 * went elsewhere or ran out before it was locked, or so did another in the same
 * batch. Nothing of it is stored, and it is asked again.
 */
export class StaleRead extends Data.TaggedError("StaleRead")<{}> {}
