import * as Context from "effect/Context"

/**
 * Where something was done.
 *
 * @category models
 */
export const sources = ["dashboard", "api", "mcp", "widget"] as const

/**
 * @category models
 */
export type Source = (typeof sources)[number]

/**
 * What an actor may do: `admin` covers the org's own settings and its export.
 *
 * @category models
 */
export const scopes = ["read", "write", "admin"] as const

/**
 * @category models
 */
export type Scope = (typeof scopes)[number]

/**
 * Who acts, and in which org. Every operation requires it; none takes it as
 * input.
 *
 * @category services
 */
export class Actor extends Context.Tag("@trailbook/core/Actor")<
  Actor,
  {
    readonly orgId: string
    readonly source: Source
    readonly scopes: ReadonlySet<Scope>
  }
>() {}
