import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../../actor/Actor.ts"
import { ApiKeyStore } from "../../actor/ApiKeyStore.ts"
import { GrantStore } from "../../oauth/GrantStore.ts"
import * as Operation from "../../operation/Operation.ts"
import type { Handlers } from "../../operation/Registry.ts"
import { StaffStore } from "../../staff/StaffStore.ts"
import * as Field from "../../wire/Field.ts"
import { Bookings } from "../Bookings.ts"
import { BookingView, bookingView } from "../BookingView.ts"
import type { Recorder, Tap } from "./Attendance.ts"

const input = {
  id: Field.withDescription("the booking", Field.uuid),
  at: Field.optional(
    Field.withDescription("when it was recorded, at most 72 hours ago; default: now", Field.instant)
  )
}

const inOrder =
  "Records made offline are ordered by the time in `at`, not by their arrival. A record that is older than " +
  "the last change of the booking's attendance, place, or status changes nothing and returns the booking. A future " +
  "time in `at` counts as now."

const refusals = ["not_found", "booking_held", "booking_cancelled", "too_early"] as const

export const bookingsCheckIn = Operation.make("bookings.check_in", {
  route: ["POST", "/bookings/:id/check-in"],
  summary: "Check in the guests of a confirmed booking, or change the number of arrivals.",
  description:
    "Possible from midnight of the day of the start, or from 12 hours before the start if that is earlier. " +
    `A no-show becomes checked in. ${inOrder}`,
  input: Schema.Struct({
    ...input,
    arrived: Field.optional(
      Field.withDescription("the number of people who arrived; default: the quantity", Field.integer(1, 10_000))
    )
  }),
  output: BookingView,
  refusals,
  light: true,
  tool: {
    title: "Check in a booking",
    toolset: "bookings",
    description: "Records on the day that the guests arrived: all, or the number in arrived."
  }
})

export const bookingsMarkNoShow = Operation.make("bookings.mark_no_show", {
  route: ["POST", "/bookings/:id/no-show"],
  summary: "Record that the guests of a confirmed booking did not come.",
  description:
    `Possible after the start. Never cancels or refunds the booking. The guest gets no thank-you email. ${inOrder}`,
  input: Schema.Struct(input),
  output: BookingView,
  refusals,
  light: true,
  tool: {
    title: "Mark a no-show",
    toolset: "bookings",
    description: "Records after the start that the guests did not come. Cancels nothing."
  }
})

export const bookingsClearAttendance = Operation.make("bookings.clear_attendance", {
  route: ["DELETE", "/bookings/:id/attendance"],
  summary: "Undo a check-in or a no-show.",
  description: inOrder,
  input: Schema.Struct(input),
  output: BookingView,
  refusals,
  light: true,
  tool: {
    title: "Undo a check-in or no-show",
    toolset: "bookings",
    description: "Clears the attendance of a booking."
  }
})

export const attendanceOperations = [bookingsCheckIn, bookingsMarkNoShow, bookingsClearAttendance] as const

export const attendanceHandlers = Effect.gen(function*() {
  const bookings = yield* Bookings
  const grants = yield* GrantStore
  const keys = yield* ApiKeyStore
  const staff = yield* StaffStore

  const recorderOf = (actor: Actor["Type"]): Effect.Effect<Recorder> => {
    const { orgId } = actor
    switch (actor._tag) {
      case "Staff":
        return Effect.map(
          staff.list(orgId),
          (members) => named("staff", actor.staffId, members.find(({ id }) => id === actor.staffId))
        )
      case "Key":
        return Effect.map(
          Effect.option(Effect.flatten(keys.find(actor.keyId))),
          (key) => named("key", actor.keyId, key._tag === "Some" ? key.value : undefined)
        )
      case "Application":
        return Effect.map(
          grants.list(orgId),
          (all) => named("application", actor.grantId, all.find(({ id }) => id === actor.grantId))
        )
      case "Agent":
        return Effect.succeed({ kind: "agent", id: actor.proposalId, name: "" })
      default:
        return Effect.succeed({ kind: "key", id: null, name: "" })
    }
  }

  const record = (
    { arrived, at, id }: { readonly id: string; readonly at?: Tap["at"]; readonly arrived?: number | undefined },
    kind: Tap["kind"],
    actor: Actor["Type"]
  ) =>
    Effect.gen(function*() {
      const tap = { kind, arrived, at, by: yield* recorderOf(actor) }
      return bookingView(yield* bookings.tap({ orgId: actor.orgId, id }, tap))
    })

  return {
    "bookings.check_in": (given, actor) => record(given, "checked_in", actor),
    "bookings.mark_no_show": (given, actor) => record(given, "no_show", actor),
    "bookings.clear_attendance": (given, actor) => record(given, "cleared", actor)
  } satisfies Handlers<typeof attendanceOperations>
})

const named = (kind: Recorder["kind"], id: string, found: { readonly name: string } | undefined): Recorder => ({
  kind,
  id,
  name: found?.name ?? ""
})
