import { availabilityGet, noSlotsReasons, SlotView } from "@trailbook/core/availability"
import { offeringsGet } from "@trailbook/core/offering"
import * as Operation from "@trailbook/core/operation/Operation"
import { orgGet } from "@trailbook/core/org"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import { Integer } from "@trailbook/core/wire"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { formatClosedReason, noAvailabilityReasons } from "../tool/shortenResult.ts"
import { makeStaffTool } from "./staffTool.ts"

const optional = <A, I>(description: string, schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Field.withDescription(description, schema), { exact: true })

const operation = Operation.make("availability.explain", {
  route: ["GET", "/desk/availability"],
  summary: "Explain why a start or day cannot be booked.",
  input: Schema.Struct({
    id: Field.withDescription("the offering", Field.uuid),
    starts_at: Field.optional(Field.withDescription("the start to explain, instead of date", Field.instant)),
    date: Field.optional(Field.withDescription("the local date to explain; default: today", Field.localDate)),
    quantity: Field.optional(Field.withDescription("seats, people, or items; default: 1", Field.integer(1, 10_000)))
  }),
  output: Schema.Struct({
    bookable: Field.withDescription("whether the quantity can be booked", Schema.Boolean),
    because: optional("why it cannot be booked", Schema.Literal(...noSlotsReasons, "not_a_start", "over_maximum")),
    remaining: optional("the start's remaining capacity, or the day's highest", Integer),
    closed_reason: optional("the outfitter's reason for the closure", Schema.String),
    alternatives: Field.withDescription("the nearest starts with enough capacity", Schema.Array(SlotView))
  }),
  tool: {
    title: "Explain availability",
    toolset: "bookings",
    description: "Explains why a day or start cannot be booked, and lists the nearest alternatives."
  }
})

type Slot = typeof SlotView.Type

const daysAround = 7
const maxAlternatives = 5

export const availabilityExplainTool = makeStaffTool(
  operation,
  (call, actor, { date: requestedDate, id, quantity = 1, starts_at: startsAt }) =>
    Effect.gen(function*() {
      const zone = Zone.get((yield* call(actor, orgGet, {})).timezone)
      const now = yield* currentTime
      const today = zone.dateAt(now)
      const date = startsAt === undefined ? requestedDate ?? today : zone.dateAt(startsAt)
      const offering = yield* call(actor, offeringsGet, { id })
      const spots = Math.min(quantity, offering.max_per_booking)
      const loadSlots = (from: LocalDate.LocalDate, to: LocalDate.LocalDate) =>
        call(actor, availabilityGet, {
          id,
          from: LocalDate.format(from),
          to: LocalDate.format(to),
          quantity: spots
        })
      const day = yield* loadSlots(date, date)
      const from = LocalDate.make(Math.max(today, date - daysAround))
      const nearbyDays = yield* loadSlots(from, LocalDate.make(Math.max(from, date + daysAround)))
      const neededCapacity = offering.kind === "appointment" ? 1 : quantity
      const hasCapacity = ({ remaining }: Slot) => remaining >= neededCapacity
      const toInstant = ({ starts_at }: Slot) => Instant.parse(starts_at) ?? Instant.min
      const slot = day.data.find((slot) => toInstant(slot) === startsAt)
      const target = startsAt ?? zone.startOf(date)
      const nearSlots = nearbyDays.data.filter((slot) => hasCapacity(slot) && toInstant(slot) !== startsAt)
        .toSorted((a, b) => Math.abs(toInstant(a) - target) - Math.abs(toInstant(b) - target))
        .slice(0, maxAlternatives)
      const next = nearbyDays.nothing_free?.next ?? day.nothing_free?.next
      const isOverMaximum = quantity > offering.max_per_booking
      const isBookable = !isOverMaximum &&
        (startsAt === undefined ? day.data.some(hasCapacity) : slot !== undefined && hasCapacity(slot))
      const reason = isOverMaximum
        ? "over_maximum" as const
        : startsAt === undefined || day.data.length === 0
        ? day.nothing_free?.because
        : slot !== undefined
        ? "full" as const
        : startsAt < now
        ? "past" as const
        : startsAt < Instant.addMinutes(now, offering.min_notice_minutes)
        ? "notice" as const
        : "not_a_start" as const
      const slots = startsAt === undefined ? day.data : slot === undefined ? [] : [slot]
      const remaining = slots.length === 0 ? undefined : Math.max(...slots.map(({ remaining }) => remaining))
      const closedReason = day.nothing_free?.closed_reason
      const explanation = reason === undefined
        ? undefined
        : reason === "over_maximum"
        ? `one booking can have at most ${offering.max_per_booking} spots`
        : reason === "not_a_start"
        ? offering.kind === "class"
          ? "no session starts at this time"
          : "the opening hours do not include a start at this time"
        : closedReason === undefined
        ? noAvailabilityReasons[reason]
        : formatClosedReason(closedReason)
      const alternatives = nearSlots.length === 0 && next !== undefined ? [next] : nearSlots
      return {
        answer: {
          bookable: isBookable,
          ...(isBookable || reason === undefined ? {} : { because: reason }),
          ...(remaining === undefined ? {} : { remaining }),
          ...(closedReason === undefined || isBookable ? {} : { closed_reason: closedReason }),
          alternatives
        },
        notes: [
          isBookable
            ? `${offering.name} can be booked${
              startsAt === undefined ? " on this day" : " at this start"
            } with bookings_create.`
            : `Not bookable on ${LocalDate.format(date)}: ${explanation ?? noAvailabilityReasons.full}${
              remaining === undefined || isOverMaximum ? "" : ` (at most ${remaining} left)`
            }.`,
          ...(isBookable || alternatives.length > 0 ? [] : ["No start in the next six months has enough capacity."])
        ]
      }
    })
)
