/**
 * Derives the attribution stored with a change from the actor who made it.
 *
 * | actor | source of a booking | author of a message | decider of a proposal |
 * |---|---|---|---|
 * | key, host | `source` | `source`, but `api` for a host's website | same as the author |
 * | application | `mcp` | `mcp` | `mcp` |
 * | staff | `dashboard` | `dashboard` | `dashboard` |
 * | guest | `widget` | `guest` | not allowed |
 * | visitor | `source` | `guest` | not allowed |
 * | agent | `dashboard` | `agent` | `agent` |
 */
import * as Schema from "effect/Schema"
import { withDescription } from "../wire/Field.ts"
import type { Actor, Source } from "./Actor.ts"

type Any = Actor["Type"]

/** Returns a change's source. Changes by the ops agent count as dashboard changes. */
export const toSource = (actor: Any): Source => "source" in actor ? actor.source : sources[actor._tag]

const sources = {
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
  actor._tag === "Guest" || actor._tag === "Visitor" ? "guest" : toDeciderKind(actor)

/** A proposal's possible deciders. */
export const deciderKinds = ["dashboard", "api", "mcp", "agent"] as const

export type DeciderKind = (typeof deciderKinds)[number]

/** Returns a proposal's decider, as stored. Guests and visitors lack the scope to decide. */
export const toDeciderKind = (actor: Any): DeciderKind => {
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
