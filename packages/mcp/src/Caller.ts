import { type Actor, type Application, asAssistant } from "@trailbook/core/actor/Actor"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Effect from "effect/Effect"
import type { RenderView } from "./resource/views.ts"
import type { ToolFilter } from "./ToolFilter.ts"

/** The actor and the tool filter of a connection. A message can change neither of them. */
export interface Caller {
  readonly actor: Actor["Type"]
  readonly selection: ToolFilter
  /**
   * The default depends on the actor: `always` for applications, `never` for API keys, and `elicit` for the host
   * application.
   */
  readonly confirmations?: Confirmations
  /** Take a booking or a try of a discount code from the rate limits of a booking page's visitor. */
  readonly limits?: Readonly<Record<"book" | "tryCode", Effect.Effect<void, Refusal>>>
  /** Creates links to exports. Omitted if no server of this database serves them. */
  readonly exportLink?: CreateExportLink | undefined
  /** The pages of views. The protocol adapters remove it if the client does not show views. */
  readonly views?: RenderView | undefined
}

/** Creates a link to an export. */
export type CreateExportLink = (
  actor: Application
) => Effect.Effect<{ readonly url: string; readonly expires_at: string }>

/**
 * How destructive and far-reaching calls are confirmed. With `always`, a call needs the user's answer or the token of a
 * preview. With `elicit`, the server asks the user if the client supports it. With `never`, a call takes effect
 * immediately.
 */
export const confirmations = ["always", "elicit", "never"] as const

export type Confirmations = (typeof confirmations)[number]

export const getConfirmations = ({ actor, confirmations }: Caller): Confirmations =>
  confirmations ?? (actor._tag === "Application" ? "always" : actor._tag === "Key" ? "never" : "elicit")

/** Returns the caller as an assistant, so that its changes are attributed to an assistant. */
export const asAssistantCaller = (caller: Caller): Caller => ({ ...caller, actor: asAssistant(caller.actor) })
