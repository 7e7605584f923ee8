/**
 * @since 0.1.0
 */
import type { StoredEvent } from "../port/EventLog.ts"
import type { Claim } from "./DeliveryQueue.ts"

/**
 * What a run does first.
 *
 * @since 0.1.0
 * @category models
 */
export type Beginning =
  /** Delivers from the cursor on. */
  | { readonly _tag: "Deliver" }
  /** Looks for an event it wants after this one: only its next event wakes a stopped endpoint before its time. */
  | { readonly _tag: "LookAfter"; readonly eventId: number }

/**
 * A stopped endpoint resumes with its next event and every 5 minutes (§6.3.5).
 * It is claimed when its org has any news, so whether the news is an event that
 * it wants is still to be seen.
 *
 * @since 0.1.0
 * @category deciding
 */
export const beginningOf = ({ retryDue, stoppedAt }: Pick<Claim, "retryDue" | "stoppedAt">): Beginning =>
  stoppedAt === null || retryDue ? { _tag: "Deliver" } : { _tag: "LookAfter", eventId: stoppedAt }

/**
 * How far an endpoint has come when every event of a page was taken: to the
 * org's newest, or `undefined` when the page was full, as there may be more.
 *
 * @since 0.1.0
 * @category deciding
 */
export const passedBy = (
  page: { readonly events: ReadonlyArray<StoredEvent>; readonly head: number },
  limit: number
): number | undefined => page.events.length < limit ? page.head : undefined
