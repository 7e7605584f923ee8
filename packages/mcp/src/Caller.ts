import { type Actor, asAssistant } from "@trailbook/core/actor/Actor"
import type { ToolFilter } from "./ToolFilter.ts"

/** The actor and the tool filter of a connection. Both come from the connection, never from a message. */
export interface Caller {
  readonly actor: Actor["Type"]
  readonly selection: ToolFilter
}

/** Returns the caller as an assistant, so that everything it does is attributed to an assistant. */
export const asAssistantCaller = ({ actor, selection }: Caller): Caller => ({ actor: asAssistant(actor), selection })
