import type { Claim } from "./DeliveryQueue.ts"

/**
 * What a run does first.
 *
 * @category models
 */
export type DeliveryAction =
  /** Delivers from the cursor on. */
  | { readonly _tag: "Deliver" }
  /** Looks for an event it wants after this one: only its next event wakes a stopped endpoint before its time. */
  | { readonly _tag: "LookAfter"; readonly eventId: number }

/**
 * A stopped endpoint resumes with its next event and every 5 minutes.
 * It is claimed when its org has any news, so whether the news is an event that
 * it wants is still to be seen.
 *
 * @category deciding
 */
export const nextDeliveryAction = ({ retryDue, stoppedAt }: Pick<Claim, "retryDue" | "stoppedAt">): DeliveryAction =>
  stoppedAt === null || retryDue ? { _tag: "Deliver" } : { _tag: "LookAfter", eventId: stoppedAt }
