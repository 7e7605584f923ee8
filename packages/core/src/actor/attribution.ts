/**
 * What is written down of who did something, read from the actor.
 *
 * | actor | a booking's source | a message's writer | who decided a proposal |
 * |---|---|---|---|
 * | key, host | its door | its door; a host's website writes as `api` | as it writes |
 * | application | `mcp` | `mcp` | `mcp` |
 * | staff | `dashboard` | `dashboard` | `dashboard` |
 * | guest, visitor | `widget` | `guest` | they decide none |
 * | agent | `dashboard` | `agent` | `agent` |
 */
import type { Actor, Source } from "./Actor.ts"

type Any = Actor["Type"]

/** Where what an actor makes was made. The agent works at the outfitter's own desk. */
export const sourceFor = (actor: Any): Source => "door" in actor ? actor.door : sources[actor._tag]

const sources = {
  Application: "mcp",
  Staff: "dashboard",
  Agent: "dashboard",
  Guest: "widget",
  Visitor: "widget"
} as const satisfies Partial<Record<Any["_tag"], Source>>

/** Whether an assistant acts: they lose answers and ask again. */
export const isAssistant = (actor: Any): boolean => sourceFor(actor) === "mcp"

/** Who may have written a message. */
export const writers = ["dashboard", "api", "mcp", "guest", "agent"] as const

export type Writer = (typeof writers)[number]

/** Who writes, as a message has it on record. */
export const toAuthor = (actor: Any): Writer =>
  actor._tag === "Guest" || actor._tag === "Visitor" ? "guest" : toDecider(actor)

/** Who may have decided a proposal. */
export const deciders = ["dashboard", "api", "mcp", "agent"] as const

export type DecidedBy = (typeof deciders)[number]

/** Who decides, as a proposal has it on record. Guests and visitors have no scope for it. */
export const toDecider = (actor: Any): DecidedBy => {
  if (actor._tag === "Agent") return "agent"
  const source = sourceFor(actor)
  return source === "widget" ? "api" : source
}
