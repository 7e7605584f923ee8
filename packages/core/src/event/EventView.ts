/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { StoredEvent } from "../port/EventLog.ts"
import * as Instant from "../time/Instant.ts"
import { Integer, Json, Timestamp } from "../wire/View.ts"

/**
 * An event on the wire (§2.14).
 *
 * @since 0.1.0
 * @category schemas
 */
export const EventView = Schema.Struct({
  id: Integer,
  type: Schema.String,
  data: Json,
  created_at: Timestamp
}).annotations({ identifier: "Event" })
export type EventView = typeof EventView.Type

/**
 * @since 0.1.0
 * @category converting
 */
export const eventView = ({ createdAt, data, id, type }: StoredEvent): EventView => ({
  id,
  type,
  data,
  created_at: Instant.format(createdAt)
})
