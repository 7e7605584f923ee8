import * as Context from "effect/Context"

/**
 * Whether the current work is inside a transaction of the host application. Such a transaction holds locks until the
 * host ends it. Work inside it must not wait for a permit, because the fiber with the permit may wait for these locks.
 */
export class Hosted extends Context.Reference<Hosted>()("@trailbook/core/Hosted", {
  defaultValue: (): boolean => false
}) {}
