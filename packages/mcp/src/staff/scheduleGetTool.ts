import { invalid } from "@trailbook/core"
import { availabilityGet } from "@trailbook/core/availability"
import * as Operation from "@trailbook/core/operation/Operation"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { Id, Integer, Timestamp } from "@trailbook/core/wire"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { loadTrips } from "../resource/scheduleLoader.ts"
import { formatLocalDay, formatOffsetTime } from "../tool/toLocalTimes.ts"
import { makeStaffTool } from "./staffTool.ts"

const optionalCount = (description: string) =>
  Schema.optionalWith(Field.withDescription(description, Integer), { exact: true })

const operation = Operation.make("schedule.get", {
  route: ["GET", "/desk/schedule"],
  summary: "List departures and open starts in a date range.",
  input: Schema.Struct({
    from: Field.optional(Field.withDescription("first local date; default: today", Field.localDate)),
    to: Field.optional(
      Field.withDescription("last local date, at most 13 days after from; default: from", Field.localDate)
    ),
    offering_id: Field.optional(Field.withDescription("only this offering", Field.uuid))
  }),
  output: Schema.Struct({
    departures: Field.withDescription(
      "sessions and booked starts",
      Schema.Array(Schema.Struct({
        starts_at: Timestamp,
        ends_at: Timestamp,
        offering: Schema.String,
        offering_id: Id,
        session_id: Schema.optionalWith(Id, { exact: true }),
        capacity: optionalCount("seats"),
        booked: optionalCount("booked seats, including holds"),
        held: optionalCount("seats on unconfirmed holds"),
        left: optionalCount("free seats"),
        guests: Schema.optionalWith(Schema.Array(Schema.Unknown), { exact: true })
      }))
    ),
    open: Field.withDescription(
      "free starts for appointments and rentals",
      Schema.Array(Schema.Struct({
        date: Schema.String,
        offering: Schema.String,
        offering_id: Id,
        starts: Field.withDescription(
          "local time with offset, and the remaining capacity",
          Schema.Array(Schema.String)
        ),
        more: optionalCount("free starts not listed")
      }))
    ),
    next_from: Schema.optionalWith(Schema.String, { exact: true })
  }),
  tool: {
    title: "Get the schedule",
    toolset: "bookings",
    description: "Lists departures in a date range (capacity, booked, held, left, guests), and free starts for " +
      "appointments and rentals. Default: today."
  }
})

const maxDays = 14
/** The maximum length of a result: about 1,750 tokens, or under 2,000 tokens with its note. */
const maxCharacters = 7000
const maxStarts = 12
const maxOfferings = 10

export const scheduleGetTool = makeStaffTool(
  operation,
  (call, actor, { from: firstDate, offering_id, to: lastDate }) =>
    Effect.gen(function*() {
      const { from, incomplete, offerings, trips, zone } = yield* loadTrips(call)(actor, {
        from: firstDate,
        days: (from) => lastDate === undefined ? 1 : lastDate - from + 1
      })
      const to = lastDate ?? from
      if (to < from || to - from >= maxDays) {
        return yield* invalid(`to: must be the same day as from, or at most ${maxDays - 1} days later`)
      }
      const isRequested = (id: string) => offering_id === undefined || id === offering_id
      const departures = trips.filter(({ trip }) => isRequested(trip.offering_id)).map((
        { endsAt, startsAt, trip }
      ) => ({
        starts_at: Instant.format(startsAt),
        ends_at: Instant.format(endsAt),
        ...trip
      }))
      const otherOfferings = offerings.filter(({ active, id, kind }) => active && kind !== "class" && isRequested(id))
      const daysByOffering = yield* Effect.forEach(otherOfferings.slice(0, maxOfferings), ({ id, name }) =>
        Effect.map(
          call(actor, availabilityGet, { id, from: LocalDate.format(from), to: LocalDate.format(to) }),
          ({ data }) => {
            const freeSlots = data.filter(({ remaining }) => remaining > 0).map(({ remaining, starts_at }) => {
              const startsAt = Instant.parse(starts_at) ?? Instant.min
              const time = formatOffsetTime(zone, startsAt).slice("2027-01-01T".length)
              return { day: zone.dateAt(startsAt), start: `${time} ${remaining} left` }
            })
            return [...new Set(freeSlots.map(({ day }) => day))].map((day) => {
              const starts = freeSlots.filter((slot) => slot.day === day).map(({ start }) => start)
              const more = starts.length - maxStarts
              return {
                day,
                row: {
                  date: formatLocalDay(day),
                  offering: name,
                  offering_id: id,
                  starts: starts.slice(0, maxStarts),
                  ...(more > 0 ? { more } : {})
                }
              }
            })
          }
        ))
      const freeDays = daysByOffering.flat().toSorted((a, b) => a.day - b.day)
      const size = (rows: unknown) => JSON.stringify(rows).length
      const includesGuests = size(departures) + size(freeDays) <= maxCharacters
      const rows = includesGuests ? departures : departures.map(({ guests: _guests, ...row }) => row)
      const toDate = ({ starts_at }: { readonly starts_at: string }) =>
        zone.dateAt(Instant.parse(starts_at) ?? Instant.min)
      let last = to
      while (
        last > from &&
        size(rows.filter((row) => toDate(row) <= last)) + size(freeDays.filter(({ day }) => day <= last)) >
          maxCharacters
      ) last = LocalDate.addDays(last, -1)
      const next = last < to ? LocalDate.format(LocalDate.addDays(last, 1)) : undefined
      return {
        answer: {
          departures: rows.filter((row) => toDate(row) <= last),
          open: freeDays.filter(({ day }) => day <= last).map(({ row }) => row),
          ...(next === undefined ? {} : { next_from: next })
        },
        notes: [
          ...(includesGuests
            ? []
            : [
              "Guests are omitted because the schedule is long. Request one day, or call bookings_list with session_id."
            ]),
          ...(next === undefined ? [] : [`To get more days, call again with from=${next}.`]),
          ...(incomplete ? ["The range has too many records for one page. Use a shorter range."] : []),
          ...(rows.length + freeDays.length > 0 ? [] : ["No departures or free starts on these dates."])
        ]
      }
    })
)
