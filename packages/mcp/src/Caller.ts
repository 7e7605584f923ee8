import { type Actor, asAssistant } from "@trailbook/core/actor/Actor"
import type { ToolFilter } from "./ToolFilter.ts"

/**
 * Who asks, and what they chose to see. Both come from the connection, never
 * from a message.
 */
export interface Caller {
  readonly actor: Actor["Type"]
  readonly selection: ToolFilter
}

/** The same, come in as an assistant: whatever is done here is done by one. */
export const asAssistantCaller = ({ actor, selection }: Caller): Caller => ({ actor: asAssistant(actor), selection })
