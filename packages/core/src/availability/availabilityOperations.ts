import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { OrgView } from "../org/OrgView.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as Field from "../wire/Field.ts"
import { Date, optionalField } from "../wire/View.ts"
import { Availability, maxSlots } from "./Availability.ts"
import { EmptyAvailabilityView, emptyAvailabilityView, SlotView, slotView } from "./AvailabilityView.ts"
import { NextAvailability } from "./NextAvailability.ts"
import type { Slot } from "./remainingSlots.ts"

export const availabilityGet = Operation.make("availability.get", {
  route: ["GET", "/offerings/:id/availability"],
  summary: "List an offering's bookable times and the remaining capacity of each.",
  description:
    "from and to are inclusive dates in the org's time zone. The default is 14 days from today, and the maximum is " +
    "366 days. For rentals, remaining is the capacity for the requested periods. quantity does not filter the list. " +
    "If no start has room for the quantity, nothing_free gives the reason and the next available " +
    `start, up to 6 months ahead. A response has at most ${maxSlots} slots and never splits a date across responses. ` +
    "If next_from is present, there are more slots. To get them, repeat the request with from=next_from and the same " +
    `to. If a single date has more slots, only its first ${maxSlots} are listed. sessions.list returns all sessions.`,
  input: Schema.Struct({
    id: Field.withDescription("the offering", Field.uuid),
    from: Field.describedOptional("the first local date. Default: today", Field.localDate),
    to: Field.describedOptional(
      "the last local date, inclusive. Default: 13 days after from. Maximum: 365 days after from",
      Field.localDate
    ),
    periods: Field.describedOptional("the number of consecutive rental periods", Field.integer(1, 60), 1),
    quantity: Field.describedOptional(
      "the number of seats, people, or items, at most the offering's max_per_booking",
      Field.integer(1, 10_000)
    )
  }),
  output: Schema.Struct({
    timezone: OrgView.fields.timezone,
    data: Field.withDescription("the slots, by start", Schema.Array(SlotView)),
    nothing_free: Schema.optionalWith(EmptyAvailabilityView, { exact: true }).annotations({
      description: "present if no start has room for the requested quantity"
    }),
    next_from: optionalField(
      "the from value for the next request, with the same to. Present if there are more slots",
      Date
    )
  }),
  refusals: ["not_found"],
  chunked: true,
  tool: {
    title: "Get availability",
    toolset: "bookings",
    description: "Lists an offering's bookable times with their remaining capacity (0 if full). " +
      "Default: 14 days from today. If no start has room, nothing_free gives the reason and the next start. Call " +
      "this before you book or move."
  }
})

export const availabilityOperations = [availabilityGet] as const

export const availabilityHandlers = Effect.gen(function*() {
  const availability = yield* Availability
  const nextAvailable = yield* NextAvailability
  return {
    "availability.get": ({ from, id, periods, quantity, to }, { orgId }, emit) =>
      Effect.gen(function*() {
        const query = { offering: { orgId, id }, from, to, periods, quantity }
        const { each, timezone } = yield* availability.find(query)
        yield* emit({ name: "timezone", value: timezone })
        const listedSlots: Array<Slot> = []
        const next = yield* each((slots) => {
          for (const slot of slots) listedSlots.push(slot)
          return emit({ name: "data", rows: slots.map(slotView) })
        })
        if (next !== undefined) return yield* emit({ name: "next_from", value: LocalDate.format(next) })
        const noAvailability = yield* nextAvailable.explainNoAvailability(query, listedSlots)
        if (noAvailability !== undefined) {
          yield* emit({ name: "nothing_free", value: emptyAvailabilityView(noAvailability) })
        }
      })
  } satisfies OperationHandlers<typeof availabilityOperations>
})
