/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"
import { Id, Integer, Timestamp } from "../wire/View.ts"
import type { Slot } from "./slotsLeft.ts"

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
