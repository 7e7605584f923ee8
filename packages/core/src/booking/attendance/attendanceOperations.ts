import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../../actor/Actor.ts"
import { makeLoadRecorder } from "../../oauth/loadRecorder.ts"
import * as Operation from "../../operation/Operation.ts"
import type { OperationHandlers } from "../../operation/Registry.ts"
import * as Field from "../../wire/Field.ts"
import { Bookings } from "../Bookings.ts"
import { BookingView, bookingView } from "../BookingView.ts"
import type { AttendanceChange } from "./Attendance.ts"

const inputFields = {
  id: Field.withDescription("the booking", Field.uuid),
  at: Field.describedOptional("when the attendance was recorded, at most 72 hours ago. Default: now", Field.instant)
}

const orderingNote =
  "Records are ordered by `at`, so records made offline can be sent later. A record that is older than the last " +
  "change to the booking's attendance, time, or status has no effect, and the response contains the unchanged " +
  "booking. A future `at` counts as now."

const refusals = ["not_found", "booking_held", "booking_cancelled", "too_early"] as const

export const bookingsCheckIn = Operation.make("bookings.check_in", {
  route: ["POST", "/bookings/:id/check-in"],
  summary: "Check in the guests on a confirmed booking, or change the number of arrivals.",
  description: "Check-in opens at midnight on the start date or 12 hours before the start, whichever is earlier. " +
    `A check-in replaces a no-show. ${orderingNote}`,
  input: Schema.Struct({
    ...inputFields,
    arrived: Field.describedOptional(
      "the number of people who arrived. Default: the quantity",
      Field.integer(1, 10_000)
    )
  }),
  output: BookingView,
  refusals,
  light: true,
  tool: {
    title: "Check in a booking",
    toolset: "bookings",
    description: "Records how many guests arrived. Allowed from the start date on."
  }
})

export const bookingsMarkNoShow = Operation.make("bookings.mark_no_show", {
  route: ["POST", "/bookings/:id/no-show"],
  summary: "Record that the guests on a confirmed booking did not show up.",
  description:
    `Allowed only after the start. The booking is not canceled or refunded. The guest gets no thank-you email. ${orderingNote}`,
  input: Schema.Struct(inputFields),
  output: BookingView,
  refusals,
  light: true,
  tool: {
    title: "Mark a no-show",
    toolset: "bookings",
    description: "Records a no-show. Allowed only after the start. Does not cancel the booking."
  }
})

export const bookingsClearAttendance = Operation.make("bookings.clear_attendance", {
  route: ["DELETE", "/bookings/:id/attendance"],
  summary: "Undo a check-in or no-show.",
  description: orderingNote,
  input: Schema.Struct(inputFields),
  output: BookingView,
  refusals,
  light: true,
  tool: {
    title: "Undo a check-in or no-show",
    toolset: "bookings",
    description: "Clears a booking's attendance."
  }
})

export const attendanceOperations = [bookingsCheckIn, bookingsMarkNoShow, bookingsClearAttendance] as const

export const attendanceHandlers = Effect.gen(function*() {
  const bookings = yield* Bookings
  const loadRecorder = yield* makeLoadRecorder

  const record = (
    { arrived, at, id }: {
      readonly id: string
      readonly at?: AttendanceChange["at"]
      readonly arrived?: number | undefined
    },
    kind: AttendanceChange["kind"],
    actor: Actor["Type"]
  ) =>
    Effect.gen(function*() {
      const tap = { kind, arrived, at, by: yield* loadRecorder(actor) }
      return bookingView(yield* bookings.tap({ orgId: actor.orgId, id }, tap))
    })

  return {
    "bookings.check_in": (input, actor) => record(input, "checked_in", actor),
    "bookings.mark_no_show": (input, actor) => record(input, "no_show", actor),
    "bookings.clear_attendance": (input, actor) => record(input, "cleared", actor)
  } satisfies OperationHandlers<typeof attendanceOperations>
})
