import type { Writer } from "../../actor/attribution.ts"
import type { Instant } from "../../time/Instant.ts"

/**
 * The recipients: all guests with a confirmed booking in a class session, a confirmed booking on a local date, or a
 * confirmed future booking for an offering.
 */
export type Target =
  | { readonly sessionId: string }
  | { readonly from: Instant; readonly to: Instant }
  | { readonly offeringId: string; readonly from: Instant }

/** A text to many guests, each of whom receives it once. */
export interface Broadcast {
  readonly orgId: string
  /** A digest of the target, the subject, and the text. An identical request returns the same broadcast. */
  readonly key: string
  readonly id: string
  readonly target: Target
  readonly subject: string
  readonly body: string
  readonly sentBy: Writer
  readonly beganAt: Instant
  /** The ID of the last customer that was processed. Customers are processed in ID order. */
  readonly after: string
  /**
   * The number of sent messages, the number of guests without an email address (such as erased guests), and the number
   * of guests whose address is known to fail permanently.
   */
  readonly sent: number
  readonly skipped: number
  readonly failed: number
  readonly doneAt: Instant | null
}

/**
 * Returns whether a broadcast announces that a session is canceled. The ops agent writes to a session only for this
 * purpose.
 */
export const isCallOff = ({ sentBy, target }: Pick<Broadcast, "sentBy" | "target">): boolean =>
  sentBy === "agent" && "sessionId" in target

/** Returns whether a broadcast is for the guests in one session or on one day. */
export const isAboutDeparture = ({ target }: Pick<Broadcast, "target">): boolean => !("offeringId" in target)
