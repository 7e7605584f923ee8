/**
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Availability } from "../availability/Availability.ts"
import { SlotView, slotView } from "../availability/AvailabilityView.ts"
import * as Field from "../wire/Field.ts"
import * as Operation from "./Operation.ts"
import type { Handlers } from "./Registry.ts"

export const availabilityGet = Operation.make("availability.get", {
  route: ["GET", "/offerings/:id/availability"],
  summary: "List the times of an offering that can be booked and what is left of each.",
  description:
    "from and to are local dates of the org, both included; 14 days from today when left out, at most 366. " +
    "Rentals take periods and quantity and list the starts and what remains for that span.",
  input: Schema.Struct({
    id: Field.means("the offering", Field.uuid),
    from: Field.optional(Field.means("first local date; today when left out", Field.localDate)),
    to: Field.optional(
      Field.means("last local date, included; 13 days after from when left out, at most 365", Field.localDate)
    ),
    periods: Field.optional(
      Field.means("rentals: list the starts of so many periods in a row; 1 when left out", Field.integer(1, 60))
    ),
    quantity: Field.optional(
      Field.means(
        "how many seats, people or items are wanted; refused when one booking cannot have as many",
        Field.integer(1, 10_000)
      )
    )
  }),
  output: Schema.Struct({ timezone: Schema.String, data: Schema.Array(SlotView) }),
  refusals: ["not_found"],
  tool: {
    title: "Get availability",
    toolset: "bookings",
    description: "Times of an offering that can be booked, with what remains of each; full ones show remaining 0. " +
      "Default: 14 days from today. Ask before booking or moving."
  }
})

export const availabilityOperations = [availabilityGet] as const

export const availabilityHandlers = Effect.map(Availability, (availability) => ({
  "availability.get": ({ from, id, periods, quantity, to }, { orgId }) =>
    Effect.map(availability.get({ offering: { orgId, id }, from, to, periods, quantity }), ({ slots, timezone }) => ({
      timezone,
      data: slots.map(slotView)
    }))
} satisfies Handlers<typeof availabilityOperations>))
