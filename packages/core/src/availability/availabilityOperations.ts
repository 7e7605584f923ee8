import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Operation from "../operation/Operation.ts"
import type { Handlers } from "../operation/Registry.ts"
import { OrgView } from "../org/OrgView.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as Field from "../wire/Field.ts"
import { Date } from "../wire/View.ts"
import { Availability } from "./Availability.ts"
import { NothingFreeView, nothingFreeView, SlotView, slotView } from "./AvailabilityView.ts"
import { NextAvailable } from "./NextAvailable.ts"
import type { Slot } from "./remainingSlots.ts"
import { maxSlots } from "./slotsInChunks.ts"

export const availabilityGet = Operation.make("availability.get", {
  route: ["GET", "/offerings/:id/availability"],
  summary: "List the times of an offering that can be booked and what is left of each.",
  description:
    "from and to are local dates of the org, both included; 14 days from today when left out, at most 366. " +
    "Rentals take periods and list the starts and what remains for that span. quantity says how many are wanted and hides " +
    "nothing. Where no start has room for them, nothing_free says why and when there is room next, up to half a year on. " +
    `An answer holds whole dates and at most ${maxSlots} slots; with next_from in it there is more: ask again with ` +
    `from=next_from and the same to. Of a date that alone has more, the first ${maxSlots} are listed; sessions.list has ` +
    "them all.",
  input: Schema.Struct({
    id: Field.withDescription("the offering", Field.uuid),
    from: Field.optional(Field.withDescription("first local date; today when left out", Field.localDate)),
    to: Field.optional(
      Field.withDescription("last local date, included; 13 days after from when left out, at most 365", Field.localDate)
    ),
    periods: Field.optional(
      Field.withDescription("rentals: list the starts of so many periods in a row", Field.integer(1, 60)),
      1
    ),
    quantity: Field.optional(
      Field.withDescription(
        "how many seats, people or items are wanted; refused when one booking cannot have as many",
        Field.integer(1, 10_000)
      )
    )
  }),
  output: Schema.Struct({
    timezone: OrgView.fields.timezone,
    data: Field.withDescription("by start", Schema.Array(SlotView)),
    nothing_free: Schema.optionalWith(NothingFreeView, { exact: true }).annotations({
      description: "where no start has room for as many as were asked for"
    }),
    next_from: Schema.optionalWith(
      Field.withDescription("there is more: pass it as from of the next request, with the same to", Date),
      { exact: true }
    )
  }),
  refusals: ["not_found"],
  inParts: true,
  tool: {
    title: "Get availability",
    toolset: "bookings",
    description: "Times of an offering that can be booked, with what remains of each; full ones show remaining 0. " +
      "Default: 14 days from today. When nothing is free, nothing_free says why and when next. Ask before booking or " +
      "moving."
  }
})

export const availabilityOperations = [availabilityGet] as const

export const availabilityHandlers = Effect.gen(function*() {
  const availability = yield* Availability
  const vacancy = yield* NextAvailable
  return {
    "availability.get": ({ from, id, periods, quantity, to }, { orgId }, tell) =>
      Effect.gen(function*() {
        const query = { offering: { orgId, id }, from, to, periods, quantity }
        const { each, timezone } = yield* availability.find(query)
        yield* tell({ name: "timezone", value: timezone })
        const listed: Array<Slot> = []
        const next = yield* each((slots) => {
          for (const slot of slots) listed.push(slot)
          return tell({ name: "data", rows: slots.map(slotView) })
        })
        if (next !== undefined) return yield* tell({ name: "next_from", value: LocalDate.format(next) })
        const none = yield* vacancy.nothingFree(query, listed)
        if (none !== undefined) yield* tell({ name: "nothing_free", value: nothingFreeView(none) })
      })
  } satisfies Handlers<typeof availabilityOperations>
})
