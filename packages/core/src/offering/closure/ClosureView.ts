import * as Schema from "effect/Schema"
import * as Event from "../../port/Event.ts"
import * as Instant from "../../time/Instant.ts"
import * as LocalDate from "../../time/LocalDate.ts"
import * as LocalTime from "../../time/LocalTime.ts"
import { withDescription } from "../../wire/Field.ts"
import { Date, Id, ids, Timestamp } from "../../wire/View.ts"
import type { Closure } from "./Closure.ts"

/** The API representation of a closure. Times have the format HH:MM:SS. */
export const ClosureView = Schema.Struct({
  id: withDescription("its ID", Id, ids.closure),
  from_date: withDescription("the first closed local date", Date, "2027-06-08"),
  to_date: withDescription("the last closed local date, inclusive", Date, "2027-06-09"),
  start_time: withDescription(
    "the local time when each date closes, or null for full-day closures",
    Schema.NullOr(Schema.String),
    "12:00"
  ),
  end_time: withDescription(
    "the local time when each date reopens, or null for full-day closures",
    Schema.NullOr(Schema.String),
    "15:00"
  ),
  offering_id: withDescription("the closed offering, or null for all offerings", Schema.NullOr(Id), null),
  reason: withDescription("the reason, shown to guests", Schema.String, "High water"),
  created_at: withDescription("when it was created", Timestamp, "2027-06-07T16:20:00.000Z")
}).annotations({ identifier: "Closure" })
export type ClosureView = typeof ClosureView.Type

export const closureView = (
  { createdAt, endTime, fromDate, id, offeringId, reason, startTime, toDate }: Closure
): ClosureView => ({
  id,
  from_date: LocalDate.format(fromDate),
  to_date: LocalDate.format(toDate),
  start_time: startTime === null ? null : LocalTime.format(startTime),
  end_time: endTime === null ? null : LocalTime.format(endTime),
  offering_id: offeringId,
  reason,
  created_at: Instant.format(createdAt)
})

export const closureEvents = [
  Event.make("closure.created", { data: ClosureView, when: "Dates are closed. Existing bookings are unaffected." }),
  Event.make("closure.deleted", { data: ClosureView, when: "Closed dates are reopened." })
] as const
