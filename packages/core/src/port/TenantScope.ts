import * as Context from "effect/Context"

/**
 * The IDs of the orgs that the current work can access. The scope is set for work without an `Actor`, such as a batch.
 * An adapter may block access to all other orgs. Work without a scope and without an actor, such as a cleanup or a key
 * lookup, belongs to the engine and can access all orgs.
 */
export class TenantScope extends Context.Tag("@trailbook/core/TenantScope")<TenantScope, ReadonlyArray<string>>() {}
