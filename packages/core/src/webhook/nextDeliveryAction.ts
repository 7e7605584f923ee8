import type { Claim } from "./DeliveryQueue.ts"

/** The first action of a run. */
export type DeliveryAction =
  /** Deliver from the cursor on. */
  | { readonly _tag: "Deliver" }
  /** Search for a subscribed event after this one. Only such an event resumes a stopped endpoint before its retry. */
  | { readonly _tag: "LookAfter"; readonly eventId: number }

/**
 * A stopped endpoint resumes with its next event and every 5 minutes. It is claimed when its org has any new event, so
 * the run must check whether the endpoint subscribes to it.
 */
export const nextDeliveryAction = ({ retryDue, stoppedAt }: Pick<Claim, "retryDue" | "stoppedAt">): DeliveryAction =>
  stoppedAt === null || retryDue ? { _tag: "Deliver" } : { _tag: "LookAfter", eventId: stoppedAt }
