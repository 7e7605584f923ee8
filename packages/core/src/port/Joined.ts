import * as Context from "effect/Context"

/**
 * The unit of work that the work at hand has to join, whatever it does; undefined where
 * it may have units of its own. What others would do for it together with theirs, it
 * does itself then. And what goes in parts only begins: everybody would wait until the
 * unit ends, so whoever owns it is told what it is, and goes on with it afterwards.
 *
 * @category references
 */
export class Joined extends Context.Reference<Joined>()("@trailbook/core/Joined", {
  defaultValue: (): { readonly hasBegun: (id: string) => void } | undefined => undefined
}) {}
