/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import { Id, Integer, Timestamp } from "../wire/View.ts"
import type { Slot } from "./slotsLeft.ts"
import type { NothingFree } from "./Vacancy.ts"
import { reasons } from "./whyNone.ts"

/**
 * A slot on the wire (§2.3).
 *
 * @since 0.1.0
 * @category schemas
 */
export const SlotView = Schema.Struct({
  starts_at: Timestamp,
  ends_at: Timestamp,
  capacity: Integer,
  remaining: Integer,
  session_id: Schema.optionalWith(Id, { exact: true })
}).annotations({ identifier: "AvailabilitySlot" })
export type SlotView = typeof SlotView.Type

/**
 * @since 0.1.0
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
 * @since 0.1.0
 * @category schemas
 */
export const NothingFreeView = Schema.Struct({
  because: Schema.Literal(...reasons),
  next: Schema.optionalWith(SlotView, { exact: true })
}).annotations({ identifier: "NothingFree" })

/**
 * @since 0.1.0
 * @category converting
 */
export const nothingFreeView = ({ because, next }: NothingFree): typeof NothingFreeView.Type =>
  next === undefined ? { because } : { because, next: slotView(next) }
