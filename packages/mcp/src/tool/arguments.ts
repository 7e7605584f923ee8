/**
 * Accepts arguments the way people write them: a booking reference instead of an ID, and local times without an offset.
 */
import { notFound, type Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { bookingsList } from "@trailbook/core/booking"
import type { Operation } from "@trailbook/core/operation/Operation"
import { orgGet } from "@trailbook/core/org"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import type { OperationCaller } from "../OperationCaller.ts"
import type { UnknownRecord } from "./compactResult.ts"
import { formatLocalTime, formatOffsetTime } from "./toLocalTimes.ts"

/** Returns an operation's fields that contain a booking ID. */
export const listBookingIdFields = ({ input: { fields }, path }: Operation.Any): ReadonlyArray<string> =>
  ["id", "booking_id"].filter((field) => field in fields && (field !== "id" || path.startsWith("/bookings/:id")))

/** Replaces booking references with booking IDs. */
export const resolveReferences =
  (call: OperationCaller) =>
  (actor: Actor["Type"], operation: Operation.Any, input: UnknownRecord): Effect.Effect<UnknownRecord, Refusal> =>
    Effect.reduce(listBookingIdFields(operation), input, (fields, field) => {
      const reference = input[field]
      if (typeof reference !== "string" || !/^[0-9A-Z]{8}$/i.test(reference)) return Effect.succeed(fields)
      return Effect.flatMap(call(actor, bookingsList, { q: reference, limit }), ({ data }) => {
        const match = data.find((booking) => booking.reference === reference.toUpperCase())
        return match === undefined ? notFound("booking", reference) : Effect.succeed({ ...fields, [field]: match.id })
      })
    })

/**
 * The number of search results to check for a reference. A search can return several bookings, because a reference can
 * also match a name.
 */
const limit = 20

/**
 * Returns a next step that depends on the outfitter's time zone. If a local time was rejected, the step contains the
 * time with its offset, ready to send. If the call was too early, the step contains the local time when the assistant
 * can retry. Returns undefined for other refusals.
 */
export const findLocalTimeFix = (call: OperationCaller) =>
(
  actor: Actor["Type"],
  input: UnknownRecord,
  { code, message }: Refusal
): Effect.Effect<string | undefined> => {
  const [, field = ""] = /^([a-z_]+): must be an ISO 8601 instant/.exec(message) ?? []
  const value = input[field]
  const [, day = "", hour, minute] = typeof value === "string" ? localPattern.exec(value) ?? [] : []
  const date = LocalDate.parse(day)
  const [, opens = ""] = code === "too_early" ? / at (\S+)\.$/.exec(message) ?? [] : []
  const opensAt = Instant.parse(opens)
  if (date === undefined && opensAt === undefined) return Effect.succeed(undefined)
  return call(actor, orgGet, {}).pipe(
    Effect.map(({ timezone }) => {
      const zone = Zone.get(timezone)
      if (opensAt !== undefined) return `Retry after ${formatLocalTime(zone, opensAt)} in ${zone.name}.`
      if (date === undefined) return undefined
      const instant = zone.instantAtWall({ date, millisOfDay: (Number(hour) * 60 + Number(minute)) * 60_000 })
      return `The offset is missing. For this local time in ${zone.name}, send ${field}=${
        formatOffsetTime(zone, instant)
      }`
    }),
    Effect.catchAllCause(() => Effect.succeed(undefined))
  )
}

const localPattern = /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):([0-5]\d)(?::\d{2})?$/
