import type { Actor, Scope } from "./Actor.ts"

type Any = Actor["Type"]

/** What each kind may do at most. A kind that is not here does not compile. */
const most: { readonly [Kind in Any["_tag"]]: ReadonlySet<Scope> } = {
  Key: new Set(["read", "write", "admin"]),
  Host: new Set(["read", "write", "admin"]),
  Staff: new Set(["read", "write", "admin", "dashboard", "staff"]),
  Application: new Set(["read", "write", "admin"]),
  Guest: new Set(["guest"]),
  Visitor: new Set(["visit"]),
  Agent: new Set(["read", "write"])
}

/**
 * Whether an actor may do what needs this scope: it has it, and its kind can. So
 * no mistake in handing out scopes lets a guest into the outfitter's operations,
 * or the ops agent at the org's settings.
 */
export const hasScope = ({ _tag, scopes }: Any, scope: Scope): boolean => scopes.has(scope) && most[_tag].has(scope)
