import type { Actor, Scope } from "./Actor.ts"

type Any = Actor["Type"]

/** The scopes that each kind of actor is allowed to have. A missing kind is a compile error. */
const allowedScopes: { readonly [Kind in Any["_tag"]]: ReadonlySet<Scope> } = {
  Key: new Set(["read", "write", "admin"]),
  Host: new Set(["read", "write", "admin"]),
  Staff: new Set(["read", "write", "admin", "dashboard", "refund", "staff"]),
  Application: new Set(["read", "write", "admin"]),
  Guest: new Set(["guest"]),
  Visitor: new Set(["visit"]),
  Agent: new Set(["read", "write"])
}

/**
 * Returns whether an actor has this scope and its kind allows it. Even if a scope is granted by mistake, a guest never
 * gets access to the outfitter's operations, and the ops agent never gets access to the org's settings.
 */
export const hasScope = ({ _tag, scopes }: Any, scope: Scope): boolean =>
  scopes.has(scope) && allowedScopes[_tag].has(scope)

/** The permission that a call requires. */
export interface Permission {
  readonly scope: Scope
  /** An alternative scope that is enough for staff members, the only kind of actor that can have it. */
  readonly staffScope?: Scope | undefined
}

/** The permission for refunds, voids, and cancellations without a refund. */
export const refundPermission = { scope: "admin", staffScope: "refund" } as const satisfies Permission

/** Returns whether an actor has a permission. Core, REST, MCP, and the dashboard use this check for each call. */
export const isPermitted = (actor: Any, { scope, staffScope = scope }: Permission): boolean =>
  hasScope(actor, scope) || hasScope(actor, staffScope)
