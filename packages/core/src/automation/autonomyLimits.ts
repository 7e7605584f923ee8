/**
 * Limits what the ops agent may do without approval. If the dial is `ask`, every proposal needs approval. For other
 * dials, these rules apply:
 *
 * - A proposal over the daily cap needs approval (`cap`). The cap counts the proposals that ran automatically in the
 *   last 24 hours, across all automations.
 * - A proposal with refunds over the limit needs approval (`money`). If no limit is set, every refund needs approval.
 * - Guests are not notified during quiet hours. The proposal runs when they end, or needs approval if that is too late.
 *   An approved proposal runs at any hour.
 */
import type { Instant } from "../time/Instant.ts"
import type { Zone } from "../time/Zone.ts"
import { type Action, isGuestFacing, refundCents } from "./Action.ts"
import type { AutonomyLevel } from "./Automation.ts"
import { type QuietHours, quietHoursEnd } from "./quietHours.ts"

export interface AutonomyLimits extends QuietHours {
  readonly opsDailyCap: number
  readonly refundCeilingCents: number | null
}

/**
 * Why a proposal needs approval even though the dial allows the agent to act. Null if the dial is `ask`, or if quiet
 * hours end too late.
 */
export type HoldReason = "cap" | "money" | null

export type AutonomyDecision =
  | { readonly _tag: "Runs"; readonly at: Instant }
  | { readonly _tag: "Waits"; readonly held: HoldReason }

export const autonomyDecision = ({ actions, dial, expiresAt, guards, now, ran, zone }: {
  readonly dial: Exclude<AutonomyLevel, "off">
  readonly actions: ReadonlyArray<Action>
  readonly expiresAt: Instant
  readonly guards: AutonomyLimits
  /** The number of proposals that ran automatically in the last 24 hours. */
  readonly ran: number
  readonly zone: Zone
  readonly now: Instant
}): AutonomyDecision => {
  if (dial === "ask") return { _tag: "Waits", held: null }
  if (ran >= guards.opsDailyCap) return { _tag: "Waits", held: "cap" }
  if (exceedsRefundLimit(actions, guards)) return { _tag: "Waits", held: "money" }
  const at = actions.some(isGuestFacing) ? quietHoursEnd(guards, zone, now) : now
  return at < expiresAt ? { _tag: "Runs", at } : { _tag: "Waits", held: null }
}

/** Returns whether the refunds in these actions exceed the agent's limit. */
export const exceedsRefundLimit = (
  actions: ReadonlyArray<Action>,
  { refundCeilingCents }: Pick<AutonomyLimits, "refundCeilingCents">
): boolean =>
  actions.some(({ money }) => money === true) &&
  (refundCeilingCents === null || refundCents(actions) > refundCeilingCents)
