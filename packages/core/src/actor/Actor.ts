/**
 * The actor of a request: a union of kinds, each with an org, scopes, and an identity. `hasScope` limits the scopes of
 * each kind. The attribution stored with a change is derived from the actor who made it:
 *
 * | actor | source of a booking | author of a message | source of a decision |
 * |---|---|---|---|
 * | key, host | `source` | `source`, but `api` for a host's website | same as the author |
 * | application | `mcp` | `mcp` | `mcp` |
 * | staff | `dashboard` | `dashboard` | `dashboard` |
 * | guest | `widget` | `guest` | not allowed |
 * | visitor | `source` | `guest` | not allowed |
 * | agent | `dashboard` | `agent` | `agent` |
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Refusal } from "../Refusal.ts"
import { withDescription } from "../wire/Field.ts"

/** The channel through which a change was made. */
export const sources = ["dashboard", "api", "mcp", "widget"] as const

export type Source = (typeof sources)[number]

/** API key scopes. `admin` covers the org's settings and export. */
export const scopes = ["read", "write", "admin"] as const

export type ApiKeyScope = (typeof scopes)[number]

/**
 * All scopes. Page scopes cannot be granted to API keys:
 *
 * - `guest`: the guest's page for a booking.
 * - `visit`: the public booking page.
 * - `dashboard`: the dashboard views that all staff members can use.
 * - `refund`: refunds and voids in the dashboard. Owners have this scope, and all other staff members have it if the
 *   org allows it.
 * - `staff`: staff and API key management, for owners.
 */
export type Scope = ApiKeyScope | "guest" | "visit" | "dashboard" | "refund" | "staff"

interface ActorBase {
  readonly orgId: string
  readonly scopes: ReadonlySet<Scope>
}

/** An API client with a key: a program over REST, or an assistant over MCP. */
export interface ApiKeyActor extends ActorBase {
  readonly _tag: "Key"
  readonly keyId: string
  readonly source: "api" | "mcp"
}

/**
 * The host application that embeds the engine. It declares the channel of each request, such as its own website or its
 * staff pages.
 */
export interface HostActor extends ActorBase {
  readonly _tag: "Host"
  readonly source: Source
}

/** A signed-in staff member in the org. */
export interface StaffActor extends ActorBase {
  readonly _tag: "Staff"
  readonly staffId: string
}

/** An AI assistant's OAuth client, authorized by a staff member. */
export interface ApplicationActor extends ActorBase {
  readonly _tag: "Application"
  readonly grantId: string
  /** Whether the application can see guests' names, contact details, and messages. */
  readonly personal: boolean
  /** The signature of the export link that authenticated the request. Omitted for other requests. */
  readonly exportLink?: string
}

/** A person with a booking's handle, which gives access only to that booking. */
export interface GuestActor extends ActorBase {
  readonly _tag: "Guest"
  readonly bookingId: string
}

/** A visitor to the org's booking page. */
export interface VisitorActor extends ActorBase {
  readonly _tag: "Visitor"
  /** `widget` for the booking page, or `mcp` for a guest's assistant. */
  readonly source: "widget" | "mcp"
  /** A keyed digest of the network that sent the request. Omitted if the server does not know the client's address. */
  readonly network?: string | undefined
}

/** The ops agent, when it runs a proposal's actions. */
export interface AgentActor extends ActorBase {
  readonly _tag: "Agent"
  readonly proposalId: string
  /**
   * Whether a message in the proposal replaces the standard email about a moved or canceled booking, so that each guest
   * gets a single email per action.
   */
  readonly coversChangeMail?: boolean | undefined
}

/** The current actor and its org. Every operation reads the actor from the context and never takes it as input. */
export class Actor extends Context.Tag("@trailbook/core/Actor")<
  Actor,
  ApiKeyActor | HostActor | StaffActor | ApplicationActor | GuestActor | VisitorActor | AgentActor
>() {}

/** Creates the host application's actor. By default, the actor has all API key scopes. */
export const makeHostActor = (options: {
  readonly orgId: string
  /** The channel. Default: `api`. */
  readonly source?: Source | undefined
  readonly scopes?: Iterable<ApiKeyScope> | undefined
}): HostActor => ({
  _tag: "Host",
  orgId: options.orgId,
  scopes: new Set(options.scopes ?? scopes),
  source: options.source ?? "api"
})

/** Returns the actor with its source set to `mcp`, if its kind has a source. */
export const withAssistantSource = (actor: Actor["Type"]): Actor["Type"] =>
  "source" in actor && actor.source !== "mcp" ? { ...actor, source: "mcp" } : actor

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

/** Returns a change's source. Changes by the ops agent count as dashboard changes. */
export const toSource = (actor: Any): Source => "source" in actor ? actor.source : sourcesByKind[actor._tag]

const sourcesByKind = {
  Application: "mcp",
  Staff: "dashboard",
  Agent: "dashboard",
  Guest: "widget"
} as const satisfies Partial<Record<Any["_tag"], Source>>

/**
 * Returns whether the actor is an assistant. Assistants sometimes lose a response and retry without an idempotency key.
 */
export const isAssistant = (actor: Any): boolean => toSource(actor) === "mcp"

/** A message's possible authors. */
export const messageAuthors = ["dashboard", "api", "mcp", "guest", "agent"] as const

export type MessageAuthor = (typeof messageAuthors)[number]

/** Returns a message's author, as stored. */
export const toMessageAuthor = (actor: Any): MessageAuthor =>
  actor._tag === "Guest" || actor._tag === "Visitor" ? "guest" : toDecisionSource(actor)

/** The possible sources of a decision on a proposal. */
export const decisionSources = ["dashboard", "api", "mcp", "agent"] as const

export type DecisionSource = (typeof decisionSources)[number]

/** Returns the source of a decision on a proposal, as stored. Guests and visitors lack the scope to decide. */
export const toDecisionSource = (actor: Any): DecisionSource => {
  if (actor._tag === "Agent") return "agent"
  const source = toSource(actor)
  return source === "widget" ? "api" : source
}

/** The kinds of actors that can record something on a booking. The host application counts as a key. */
export const recorderKinds = ["staff", "key", "application", "agent", "provider"] as const

/** The actor that recorded something, with its name at that time. */
export const Recorder = Schema.Struct({
  kind: withDescription("the kind of actor", Schema.Literal(...recorderKinds), "staff"),
  id: withDescription(
    "the actor's ID, or null for a host application or a payment provider",
    Schema.NullOr(Schema.String)
  ),
  name: withDescription("the actor's name at the time", Schema.String, "Ana Ruiz")
}).annotations({ identifier: "Recorder" })
export type Recorder = typeof Recorder.Type

/** Runs operations as an actor, with all checks. The registry provides this service to its own handlers. */
export class OperationRunner extends Context.Tag("@trailbook/core/OperationRunner")<
  OperationRunner,
  { readonly run: (name: string, input: unknown) => Effect.Effect<unknown, Refusal, Actor> }
>() {}
