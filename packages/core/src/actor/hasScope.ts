import type { Actor, Scope } from "./Actor.ts"

type Any = Actor["Type"]

/** The maximum scopes of each kind of actor. A missing kind does not compile. */
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
 * Whether an actor has this scope and its kind can have it. A mistakenly granted scope therefore never gives a guest
 * access to the outfitter's operations, or the ops agent access to the org's settings.
 */
export const hasScope = ({ _tag, scopes }: Any, scope: Scope): boolean => scopes.has(scope) && most[_tag].has(scope)
