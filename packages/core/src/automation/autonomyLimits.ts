/**
 * What the ops agent may do on its own. Under the dial ask it waits for a person, and
 * otherwise:
 *
 * - past the daily cap it waits, `cap`: so many proposals of all automations ran by
 *   themselves in the last 24 hours;
 * - with refunds over the ceiling it waits, `money`; without a ceiling every refund does;
 * - what guests hear of is not done in quiet hours: it is done when they end, and when
 *   that is too late it waits for a person, who may do it at any hour.
 */
import type { Instant } from "../time/Instant.ts"
import type { Zone } from "../time/Zone.ts"
import { type Action, isGuestFacing, refundCents } from "./Action.ts"
import type { AutonomyLevel } from "./Automation.ts"
import { type QuietHours, quietHoursEnd } from "./quietHours.ts"

/**
 * @category models
 */
export interface AutonomyLimits extends QuietHours {
  readonly opsDailyCap: number
  readonly refundCeilingCents: number | null
}

/**
 * Why it waits although it might act; null is that it was to wait anyway, or waits
 * for a person because the quiet hours end too late.
 *
 * @category models
 */
export type HoldReason = "cap" | "money" | null

/**
 * @category models
 */
export type AutonomyDecision =
  | { readonly _tag: "Runs"; readonly at: Instant }
  | { readonly _tag: "Waits"; readonly held: HoldReason }

/**
 * @category deciding
 */
export const autonomyDecision = ({ actions, dial, expiresAt, guards, now, ran, zone }: {
  readonly dial: Exclude<AutonomyLevel, "off">
  readonly actions: ReadonlyArray<Action>
  readonly expiresAt: Instant
  readonly guards: AutonomyLimits
  /** How many proposals ran by themselves in the last 24 hours. */
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

/**
 * Whether these refund more than the agent may on its own.
 *
 * @category predicates
 */
export const exceedsRefundLimit = (
  actions: ReadonlyArray<Action>,
  { refundCeilingCents }: Pick<AutonomyLimits, "refundCeilingCents">
): boolean =>
  actions.some(({ money }) => money === true) &&
  (refundCeilingCents === null || refundCents(actions) > refundCeilingCents)
