/**
 * Who acts: a union of kinds, each with its org, what it may do, and whom or what
 * it stands for. What is written down of it, such as where a booking was made, is
 * read from it by `provenance.ts` and is no part of it; what a kind may do at most
 * is in `may.ts`.
 */
import * as Context from "effect/Context"

/** Where something was done. */
export const sources = ["dashboard", "api", "mcp", "widget"] as const

export type Source = (typeof sources)[number]

/** What a program may do: `admin` covers the org's own settings and its export. */
export const scopes = ["read", "write", "admin"] as const

export type KeyScope = (typeof scopes)[number]

/**
 * What an actor may do. Beside those of programs there are the scopes of pages:
 * `guest` for a guest's own page of a booking, `visit` for a booking page,
 * `dashboard` for what all of an org's people see there and programs put together themselves, and
 * `staff` for what its owners do about their org's people and keys. No key can have them.
 */
export type Scope = KeyScope | "guest" | "visit" | "dashboard" | "staff"

interface Acting {
  readonly orgId: string
  readonly scopes: ReadonlySet<Scope>
}

/** A program with an API key: over REST, or over MCP as an assistant. */
export interface Key extends Acting {
  readonly _tag: "Key"
  readonly keyId: string
  readonly door: "api" | "mcp"
}

/**
 * The program that has the engine inside it. It says itself by which of its doors
 * it was asked: its own website, its staff's pages, or whatever else.
 */
export interface Host extends Acting {
  readonly _tag: "Host"
  readonly door: Source
}

/** One of the org's own people, signed in. */
export interface Staff extends Acting {
  readonly _tag: "Staff"
  readonly staffId: string
}

/** A connector of an assistant that somebody of the org has let in. */
export interface Application extends Acting {
  readonly _tag: "Application"
  readonly grantId: string
  /** Whether it sees what guests are called, where they are reached and what they write. */
  readonly personal: boolean
}

/** Whoever has the handle of a booking: it stands for that booking and no other. */
export interface Guest extends Acting {
  readonly _tag: "Guest"
  readonly bookingId: string
}

/** Anybody on the org's booking page. */
export interface Visitor extends Acting {
  readonly _tag: "Visitor"
  /** A keyed digest of the network of the request; left out if the server does not know the address. */
  readonly network?: string | undefined
}

/** The ops agent, as it takes the actions of a proposal. */
export interface Agent extends Acting {
  readonly _tag: "Agent"
  readonly proposalId: string
}

/**
 * Who acts, and in which org. Every operation requires it; none takes it as
 * input.
 */
export class Actor extends Context.Tag("@trailbook/core/Actor")<
  Actor,
  Key | Host | Staff | Application | Guest | Visitor | Agent
>() {}

/** The program around the engine, with every scope of a program where nothing else is said. */
export const host = (given: {
  readonly orgId: string
  /** `api` when nothing is said. */
  readonly door?: Source | undefined
  readonly scopes?: Iterable<KeyScope> | undefined
}): Host => ({
  _tag: "Host",
  orgId: given.orgId,
  scopes: new Set(given.scopes ?? scopes),
  door: given.door ?? "api"
})

/** The same one, come in as an assistant. */
export const asAssistant = (actor: Actor["Type"]): Actor["Type"] =>
  (actor._tag === "Key" || actor._tag === "Host") && actor.door !== "mcp" ? { ...actor, door: "mcp" } : actor
