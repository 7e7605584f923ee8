/**
 * @since 0.1.0
 */

/**
 * The types of events that are known today. A receiver lets others pass: more may
 * come within a version of the API.
 *
 * @since 0.1.0
 * @category models
 */
export type WebhookEventType =
  | "booking.held"
  | "booking.confirmed"
  | "booking.moved"
  | "booking.cancelled"
  | "message.sent"
  | "message.received"
  | "message.drafted"
  | "session.created"
  | "session.cancelled"
  | "offering.created"
  | "offering.updated"
  | "offering.deleted"
  | "offering.hours_updated"
  | "customer.updated"
  | "customer.deleted"
  | "org.updated"

/**
 * What a delivery carries.
 *
 * @since 0.1.0
 * @category models
 */
export interface WebhookEvent {
  /** Counts up within the outfitter. The same id is the same event: a receiver does its work once. */
  readonly id: number
  // The second half lets an editor offer the names of the first and takes any other.
  readonly type: WebhookEventType | (string & {})
  /** ISO 8601. */
  readonly created_at: string
  /** The booking, session, offering, customer or org after the change. */
  readonly data: unknown
}
