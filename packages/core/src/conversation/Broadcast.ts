import type { Writer } from "../actor/attribution.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * Who is written to: everyone confirmed in a class session, everyone who starts on a
 * local date, or everyone booked ahead on an offering.
 *
 * @category models
 */
export type Target =
  | { readonly sessionId: string }
  | { readonly from: Instant; readonly to: Instant }
  | { readonly offeringId: string; readonly from: Instant }

/**
 * The same words to many guests, each of whom gets them once.
 *
 * @category models
 */
export interface Broadcast {
  readonly orgId: string
  /** Of target, subject and words: the same again is the same broadcast. */
  readonly key: string
  readonly id: string
  readonly target: Target
  readonly subject: string
  readonly body: string
  readonly sentBy: Writer
  readonly beganAt: Instant
  /** The last customer who was dealt with; those that follow by id are left. */
  readonly after: string
  /** Messages written and on their way; erased guests; guests whose address last failed for good. */
  readonly sent: number
  readonly skipped: number
  readonly failed: number
  readonly doneAt: Instant | null
}

/**
 * Whether it tells guests that their session is canceled. The ops agent writes to a session only for that.
 *
 * @category predicates
 */
export const isCallOff = ({ sentBy, target }: Pick<Broadcast, "sentBy" | "target">): boolean =>
  sentBy === "agent" && "sessionId" in target

/**
 * Whether it is for the guests of one session or of one day.
 *
 * @category predicates
 */
export const isAboutDeparture = ({ target }: Pick<Broadcast, "target">): boolean => !("offeringId" in target)
