/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import { Id, Integer, Timestamp } from "../wire/View.ts"
import { type Session, sessionStatuses } from "./Session.ts"

/**
 * The session on the wire (§2.4).
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionView = Schema.Struct({
  id: Id,
  org_id: Id,
  offering_id: Id,
  starts_at: Timestamp,
  ends_at: Timestamp,
  capacity: Schema.NullOr(Integer),
  status: Schema.Literal(...sessionStatuses),
  created_at: Timestamp
}).annotations({ identifier: "Session" })
export type SessionView = typeof SessionView.Type

/**
 * An item of `sessions_list`: the session and its seats booked.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BookedSessionView = Schema.Struct({ ...SessionView.fields, booked: Integer }).annotations({
  identifier: "BookedSession"
})

/**
 * @since 0.1.0
 * @category converting
 */
export const sessionView = (session: Session): SessionView => ({
  id: session.id,
  org_id: session.orgId,
  offering_id: session.offeringId,
  starts_at: Instant.format(session.startsAt),
  ends_at: Instant.format(session.endsAt),
  capacity: session.capacity,
  status: session.status,
  created_at: Instant.format(session.createdAt)
})
