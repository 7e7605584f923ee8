import type { Refusal } from "@trailbook/core"
import { type Actor, type ApplicationActor, hasScope, withAssistantSource } from "@trailbook/core/actor"
import type * as Effect from "effect/Effect"
import type { ViewRenderer } from "./resource/views.ts"
import type { ToolFilter } from "./ToolFilter.ts"

/** The actor and tool filter of a connection. Messages cannot change the actor or the filter. */
export interface Caller {
  readonly actor: Actor["Type"]
  readonly toolFilter: ToolFilter
  /**
   * The default depends on the actor: `always` for applications, `never` for API keys, and `elicit` for the host
   * application.
   */
  readonly confirmations?: ConfirmationPolicy
  /** On a booking page, the effects that count bookings and discount code attempts toward the visitor's rate limits. */
  readonly limits?: Readonly<Record<"book" | "tryCode", Effect.Effect<void, Refusal>>>
  /** Creates download links for exports. Omitted if this database has no server to serve them. */
  readonly exportLink?: ExportLinkCreator | undefined
  /** Renders the pages for views. The protocol adapters remove this function if the client does not show views. */
  readonly views?: ViewRenderer | undefined
}

/** Creates a download link for an export. */
export type ExportLinkCreator = (
  actor: ApplicationActor
) => Effect.Effect<{ readonly url: string; readonly expires_at: string }>

/**
 * How destructive or far-reaching calls are confirmed. With `always`, a call requires the user's confirmation or the
 * token from a preview. With `elicit`, the server asks the user if the client supports it. With `never`, calls take
 * effect immediately.
 */
export const confirmationPolicies = ["always", "elicit", "never"] as const

export type ConfirmationPolicy = (typeof confirmationPolicies)[number]

export const getConfirmationPolicy = ({ actor, confirmations }: Caller): ConfirmationPolicy =>
  confirmations ?? (actor._tag === "Application" ? "always" : actor._tag === "Key" ? "never" : "elicit")

/** Marks the caller as an assistant, so that its changes are attributed to one. */
export const toAssistantCaller = (caller: Caller): Caller => ({ ...caller, actor: withAssistantSource(caller.actor) })

/** Whether a caller gets prompts and resources, which contain bookings. */
export const canReadBookings = ({ actor, toolFilter }: Caller): boolean =>
  hasScope(actor, "read") && toolFilter.toolsets.has("bookings")
