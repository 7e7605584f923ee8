import * as Context from "effect/Context"

/**
 * The org IDs for the current work. It is set if the work has no `Actor`, such as a batch. An adapter may block access
 * to all other orgs. If neither is set, the work belongs to the engine, such as a cleanup or a key lookup, and can
 * access all orgs.
 */
export class TenantScope extends Context.Tag("@trailbook/core/TenantScope")<TenantScope, ReadonlyArray<string>>() {}
