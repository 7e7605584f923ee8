import { type Actor, asAssistant } from "@trailbook/core/actor/Actor"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Effect from "effect/Effect"
import type { ToolFilter } from "./ToolFilter.ts"

/** The actor and the tool filter of a connection. Both come from the connection, never from a message. */
export interface Caller {
  readonly actor: Actor["Type"]
  readonly selection: ToolFilter
  /** Default: always for applications, never for API keys, and elicit for the host application. */
  readonly confirmations?: Confirmations
  /** Take a booking or a try of a discount code from the rate limits of a booking page's visitor. */
  readonly limits?: Readonly<Record<"book" | "tryCode", Effect.Effect<void, Refusal>>>
}

/**
 * The confirmation of destructive and far-reaching calls. `always`: it needs the answer of the user, or the token of a
 * preview. `elicit`: the server asks the user if the client supports it. `never`: it acts immediately.
 */
export const confirmations = ["always", "elicit", "never"] as const

export type Confirmations = (typeof confirmations)[number]

export const getConfirmations = ({ actor, confirmations }: Caller): Confirmations =>
  confirmations ?? (actor._tag === "Application" ? "always" : actor._tag === "Key" ? "never" : "elicit")

/** Returns the caller as an assistant, so that everything it does is attributed to an assistant. */
export const asAssistantCaller = (caller: Caller): Caller => ({ ...caller, actor: asAssistant(caller.actor) })
