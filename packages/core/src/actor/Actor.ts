/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Where something was done (decision 5.13).
 *
 * @since 0.1.0
 * @category models
 */
export const sources = ["dashboard", "api", "mcp", "widget"] as const

/**
 * @since 0.1.0
 * @category models
 */
export type Source = (typeof sources)[number]

/**
 * What an actor may do: `admin` covers the org's own settings and its export
 * (decision 9.2).
 *
 * @since 0.1.0
 * @category models
 */
export const scopes = ["read", "write", "admin"] as const

/**
 * @since 0.1.0
 * @category models
 */
export type Scope = (typeof scopes)[number]

/**
 * Who acts, and in which org. Every operation requires it; none takes it as
 * input.
 *
 * @since 0.1.0
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
