import * as Schema from "effect/Schema"
import { withDescription } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Id, ids, Integer, Timestamp } from "../wire/View.ts"
import { type Session, sessionStatuses } from "./Session.ts"

/** The API representation of a session. */
export const SessionView = Schema.Struct({
  id: withDescription("its ID", Id, ids.session),
  org_id: withDescription("the outfitter", Id, ids.org),
  offering_id: withDescription("the class", Id, ids.offering),
  starts_at: withDescription("its start", Timestamp),
  ends_at: withDescription("its end", Timestamp, "2027-05-01T19:00:00.000Z"),
  capacity: withDescription(
    "the number of seats, or null to use the class capacity",
    Schema.NullOr(Integer)
  ),
  status: withDescription("its status", Schema.Literal(...sessionStatuses)),
  notes: withDescription("notes for staff, such as guides and boats", Schema.String, "Guide: Ray. Boats 3 and 4."),
  created_at: withDescription("when it was created", Timestamp, "2027-04-02T16:20:00.000Z")
}).annotations({ identifier: "Session" })
export type SessionView = typeof SessionView.Type

/** An item in `sessions_list`: a session with its booked seats. */
export const BookedSessionView = Schema.Struct({
  ...SessionView.fields,
  booked: withDescription("the number of booked seats", Integer, 4)
})
  .annotations({
    identifier: "BookedSession"
  })

export const sessionView: (value: Session) => SessionView = toView(SessionView)
