import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { exampleIds, Id, Integer, optionalField, Timestamp } from "../wire/View.ts"
import { noSlotsReasons } from "./explainNoSlots.ts"
import type { NoAvailabilityExplanation } from "./NextAvailability.ts"
import type { Slot } from "./remainingSlots.ts"

/** A slot as the API returns it. */
export const SlotView = Schema.Struct({
  starts_at: withDescription("its start", Timestamp),
  ends_at: withDescription("its end", Timestamp, "2027-05-01T19:00:00.000Z"),
  capacity: withDescription("the total capacity", Integer, 12),
  remaining: withDescription("the remaining capacity, or 0 if full", Integer, 8),
  session_id: optionalField("the class session", Id, exampleIds.session)
}).annotations({ identifier: "AvailabilitySlot" })
export type SlotView = typeof SlotView.Type

export const slotView = ({ capacity, endsAt, remaining, sessionId, startsAt }: Slot): SlotView => ({
  starts_at: Instant.format(startsAt),
  ends_at: Instant.format(endsAt),
  capacity,
  remaining,
  ...(sessionId === undefined ? {} : { session_id: sessionId })
})

/** Why no start is available, and the next start with capacity. */
export const EmptyAvailabilityView = Schema.Struct({
  because: withDescription(
    "the reason: the offering is paused or closed, every slot is full, no sessions are scheduled, the opening hours " +
      "are too short, or the dates are in the past, within the notice period, or beyond the horizon",
    Schema.Literal(...noSlotsReasons)
  ),
  closed_reason: optionalField("why the outfitter closed these dates", Schema.String),
  next: Schema.optionalWith(SlotView, { exact: true }).annotations({
    description: "the first available start after the requested dates, up to 6 months ahead"
  })
}).annotations({ identifier: "NothingFree" })

export const emptyAvailabilityView = (
  { because, closure, next }: NoAvailabilityExplanation
): typeof EmptyAvailabilityView.Type => ({
  because,
  ...(closure === undefined ? {} : { closed_reason: closure.reason }),
  ...(next === undefined ? {} : { next: slotView(next) })
})
