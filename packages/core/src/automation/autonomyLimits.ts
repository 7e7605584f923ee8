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
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { Zone } from "../time/Zone.ts"
import { type Action, isGuestFacing, sumRefundCents } from "./Action.ts"
import type { AutonomyLevel } from "./Automation.ts"

export interface AutonomyLimits extends QuietHours {
  readonly opsDailyCap: number
  readonly refundCeilingCents: number | null
}

/**
 * Why a proposal needs approval even though the dial allows the agent to act. Null if the dial is `ask`, or if quiet
 * hours end too late.
 */
export type ApprovalReason = "cap" | "money" | null

export type AutonomyDecision =
  | { readonly _tag: "Runs"; readonly at: Instant.Instant }
  | { readonly _tag: "Waits"; readonly held: ApprovalReason }

export const decideAutonomy = ({ actions, dial, expiresAt, guards, now, recentRunCount, zone }: {
  readonly dial: Exclude<AutonomyLevel, "off">
  readonly actions: ReadonlyArray<Action>
  readonly expiresAt: Instant.Instant
  readonly guards: AutonomyLimits
  /** The number of proposals that ran automatically in the last 24 hours. */
  readonly recentRunCount: number
  readonly zone: Zone
  readonly now: Instant.Instant
}): AutonomyDecision => {
  if (dial === "ask") return { _tag: "Waits", held: null }
  if (recentRunCount >= guards.opsDailyCap) return { _tag: "Waits", held: "cap" }
  if (exceedsRefundLimit(actions, guards)) return { _tag: "Waits", held: "money" }
  const at = actions.some(isGuestFacing) ? findQuietHoursEnd(guards, zone, now) : now
  return at < expiresAt ? { _tag: "Runs", at } : { _tag: "Waits", held: null }
}

/** Returns whether the refunds in these actions exceed the agent's limit. */
export const exceedsRefundLimit = (
  actions: ReadonlyArray<Action>,
  { refundCeilingCents }: Pick<AutonomyLimits, "refundCeilingCents">
): boolean =>
  actions.some(({ money }) => money === true) &&
  (refundCeilingCents === null || sumRefundCents(actions) > refundCeilingCents)

/**
 * A daily range of hours in the outfitter's time zone. The range crosses midnight if it starts later than it ends, and
 * it is empty if both hours are equal. It uses wall time, so it is an hour longer or shorter when the clocks change.
 */
interface QuietHours {
  /** The first quiet hour, from 0 to 23. Null if there are no quiet hours. */
  readonly quietFrom: number | null
  readonly quietTo: number | null
}

const hourMs = 3_600_000

export const isInQuietHours = ({ quietFrom, quietTo }: QuietHours, zone: Zone, instant: Instant.Instant): boolean => {
  if (quietFrom === null || quietTo === null) return false
  const hour = zone.wallAt(instant).millisOfDay / hourMs
  return quietFrom <= quietTo ? hour >= quietFrom && hour < quietTo : hour >= quietFrom || hour < quietTo
}

/** Returns the first instant at or after `instant` that is outside quiet hours. */
export const findQuietHoursEnd = (hours: QuietHours, zone: Zone, instant: Instant.Instant): Instant.Instant => {
  if (hours.quietTo === null || !isInQuietHours(hours, zone, instant)) return instant
  const today = zone.dateAt(instant)
  // If the clocks go back across the end of the range, the last quiet hour occurs twice, so check several candidates.
  for (let days = 0; days <= 2; days++) {
    const end = zone.instantAt(LocalDate.addDays(today, days), hours.quietTo * 3600)
    for (const at of [end, Instant.make(end + hourMs), Instant.make(end + 2 * hourMs)]) {
      if (at > instant && !isInQuietHours(hours, zone, at)) return at
    }
  }
  // The time zone skipped a date, so no candidate fits.
  return Instant.addMinutes(instant, 24 * 60)
}
