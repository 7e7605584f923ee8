import type { Writer } from "../../actor/attribution.ts"
import type { Instant } from "../../time/Instant.ts"

/** The recipients: all confirmed guests of a class session, of a local date, or of an offering's future bookings. */
export type Target =
  | { readonly sessionId: string }
  | { readonly from: Instant; readonly to: Instant }
  | { readonly offeringId: string; readonly from: Instant }

/** A text to many guests. Each guest gets it once. */
export interface Broadcast {
  readonly orgId: string
  /** A digest of target, subject, and text. An equal request returns the same broadcast. */
  readonly key: string
  readonly id: string
  readonly target: Target
  readonly subject: string
  readonly body: string
  readonly sentBy: Writer
  readonly beganAt: Instant
  /** The ID of the last customer that was processed. Customers are processed in the order of their IDs. */
  readonly after: string
  /** Messages sent; guests without an address, such as erased guests; guests whose address last failed permanently. */
  readonly sent: number
  readonly skipped: number
  readonly failed: number
  readonly doneAt: Instant | null
}

/** Whether it tells guests that their session is canceled. The ops agent writes to a session only for that. */
export const isCallOff = ({ sentBy, target }: Pick<Broadcast, "sentBy" | "target">): boolean =>
  sentBy === "agent" && "sessionId" in target

/** Whether it is for the guests of one session or of one day. */
export const isAboutDeparture = ({ target }: Pick<Broadcast, "target">): boolean => !("offeringId" in target)
