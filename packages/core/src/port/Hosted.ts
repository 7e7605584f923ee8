import * as Context from "effect/Context"

/**
 * Whether the work at hand is inside of a transaction that a program has begun. It
 * holds locks that others may wait for until the program ends it, so it must not wait
 * for them in turn.
 *
 * @category references
 */
export class Hosted extends Context.Reference<Hosted>()("@trailbook/core/Hosted", {
  defaultValue: (): boolean => false
}) {}
