/** One actor of each kind. The code does not compile if a kind is missing. */
import type { Actor, Scope } from "@trailbook/core/actor"

type Any = Actor["Type"]

export type Kind = Any["_tag"]

interface ActorFields {
  readonly orgId: string
  readonly scopes: ReadonlySet<Scope>
}

/** The booking that the guest actor can access. */
export const guestsBooking = "0199aaaa-0000-7000-8000-000000000001"

const id = "0199aaaa-0000-7000-8000-000000000000"

const subjects: { readonly [K in Kind]: Omit<Extract<Any, { readonly _tag: K }>, keyof ActorFields> } = {
  Key: { _tag: "Key", keyId: "4fYk0aZ91LsQ", source: "api" },
  Host: { _tag: "Host", source: "widget" },
  Staff: { _tag: "Staff", staffId: id },
  Application: { _tag: "Application", grantId: id, personal: true },
  Guest: { _tag: "Guest", bookingId: guestsBooking },
  Visitor: { _tag: "Visitor", source: "widget" },
  Agent: { _tag: "Agent", proposalId: id }
}

export const kinds = Object.keys(subjects) as ReadonlyArray<Kind>

export const actorOf = (kind: Kind, fields: ActorFields): Any => ({ ...subjects[kind], ...fields })

/** Every scope. The code does not compile if a scope is missing. */
export const everyScope = Object.keys(
  { read: 1, write: 1, admin: 1, guest: 1, visit: 1, dashboard: 1, refund: 1, staff: 1 } satisfies Record<Scope, 1>
) as ReadonlyArray<Scope>

/** Sets of scopes to test: none, each scope alone, and all scopes together. */
export const holdings: ReadonlyArray<ReadonlySet<Scope>> = [
  new Set(),
  ...everyScope.map((scope) => new Set([scope])),
  new Set(everyScope)
]

/**
 * Implements the access rule, independently of the code under test: the actor must hold the scope, and the scope must
 * be meant for its kind. For example, guest scopes are only for guests, and the agent cannot use `admin`.
 */
export const mayDo = ({ _tag, scopes }: Any, scope: Scope): boolean => {
  if (!scopes.has(scope)) return false
  if (scope === "guest" || _tag === "Guest") return scope === "guest" && _tag === "Guest"
  if (scope === "visit" || _tag === "Visitor") return scope === "visit" && _tag === "Visitor"
  if (scope === "staff" || scope === "dashboard" || scope === "refund") return _tag === "Staff"
  return !(_tag === "Agent" && scope === "admin")
}

/** The operations that staff members may run with the `refund` scope instead of `admin`. */
export const refundOperations: ReadonlySet<string> = new Set(["payments.refund", "payments.void"])

/** Implements the access rule for operations. */
export const mayRun = (actor: Any, { name, scope }: { readonly name: string; readonly scope: Scope }): boolean =>
  mayDo(actor, scope) || refundOperations.has(name) && mayDo(actor, "refund")
