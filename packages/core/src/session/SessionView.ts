import * as Schema from "effect/Schema"
import { means } from "../wire/Field.ts"
import { viewOf } from "../wire/naming.ts"
import { Id, ids, Integer, Timestamp } from "../wire/View.ts"
import { type Session, sessionStatuses } from "./Session.ts"

/**
 * The session on the wire.
 *
 * @category schemas
 */
export const SessionView = Schema.Struct({
  id: means("its id", Id, ids.session),
  org_id: means("the outfitter", Id, ids.org),
  offering_id: means("the class", Id, ids.offering),
  starts_at: means("its start", Timestamp),
  ends_at: means("its end", Timestamp, "2027-05-01T19:00:00.000Z"),
  capacity: means("seats in this session; null is those of the class", Schema.NullOr(Integer)),
  status: means("its state", Schema.Literal(...sessionStatuses)),
  created_at: means("when it was made", Timestamp, "2027-04-02T16:20:00.000Z")
}).annotations({ identifier: "Session" })
export type SessionView = typeof SessionView.Type

/**
 * An item of `sessions_list`: the session and its seats booked.
 *
 * @category schemas
 */
export const BookedSessionView = Schema.Struct({ ...SessionView.fields, booked: means("seats booked", Integer, 4) })
  .annotations({
    identifier: "BookedSession"
  })

/**
 * @category converting
 */
export const sessionView: (value: Session) => SessionView = viewOf(SessionView)
