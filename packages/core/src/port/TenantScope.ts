import * as Context from "effect/Context"

/**
 * The ids of the orgs that the work at hand belongs to, where its `Actor` does
 * not say it: a batch of many. A storage may keep everything else closed to the
 * work. With neither of the two it is the engine's own, such as a sweep or
 * the search for a key, and sees all.
 *
 * @category ports
 */
export class TenantScope extends Context.Tag("@trailbook/core/TenantScope")<TenantScope, ReadonlyArray<string>>() {}
