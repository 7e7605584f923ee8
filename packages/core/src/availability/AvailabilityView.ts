import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import { means } from "../wire/Field.ts"
import { Id, ids, Integer, Timestamp } from "../wire/View.ts"
import type { Slot } from "./slotsLeft.ts"
import type { NothingFree } from "./Vacancy.ts"
import { reasons } from "./whyNone.ts"

/**
 * A slot on the wire.
 *
 * @category schemas
 */
export const SlotView = Schema.Struct({
  starts_at: means("its start", Timestamp),
  ends_at: means("its end", Timestamp, "2027-05-01T19:00:00.000Z"),
  capacity: means("what there is in all", Integer, 12),
  remaining: means("what is left to book; 0 when it is full", Integer, 8),
  session_id: Schema.optionalWith(means("classes: the session", Id, ids.session), { exact: true })
}).annotations({ identifier: "AvailabilitySlot" })
export type SlotView = typeof SlotView.Type

/**
 * @category converting
 */
export const slotView = ({ capacity, endsAt, remaining, sessionId, startsAt }: Slot): SlotView => ({
  starts_at: Instant.format(startsAt),
  ends_at: Instant.format(endsAt),
  capacity,
  remaining,
  ...(sessionId === undefined ? {} : { session_id: sessionId })
})

/**
 * Where nothing is free: why, and the next start with room.
 *
 * @category schemas
 */
export const NothingFreeView = Schema.Struct({
  because: means(
    "why: booking is paused, all are full, they begin inside the notice, beyond the horizon or in the past, a class has no " +
      "sessions there, it is open too briefly, or closed",
    Schema.Literal(...reasons)
  ),
  next: Schema.optionalWith(SlotView, { exact: true }).annotations({
    description: "the first start with room after the dates asked for, up to half a year on"
  })
}).annotations({ identifier: "NothingFree" })

/**
 * @category converting
 */
export const nothingFreeView = ({ because, next }: NothingFree): typeof NothingFreeView.Type =>
  next === undefined ? { because } : { because, next: slotView(next) }
